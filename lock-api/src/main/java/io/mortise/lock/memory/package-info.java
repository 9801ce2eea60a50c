// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The reference backend: locks in the memory of one JVM, for tests and for reading. {@code memory:NAME} opens it;
 * {@link io.mortise.lock.memory.MemoryStore} lets a test expire, delete and freeze what it holds.
 */
@NullMarked
package io.mortise.lock.memory;

import org.jspecify.annotations.NullMarked;
