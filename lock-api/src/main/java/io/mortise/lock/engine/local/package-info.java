// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a client does for itself, without asking the store: its threads, the line in which its own callers wait, and the
 * events that its listeners are told.
 */
@NullMarked
package io.mortise.lock.engine.local;

import org.jspecify.annotations.NullMarked;
