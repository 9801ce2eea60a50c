// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks in a relational database. */
@NullMarked
package io.mortise.lock.jdbc;

import org.jspecify.annotations.NullMarked;
