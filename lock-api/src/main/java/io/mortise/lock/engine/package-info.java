// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How locking works, written once for all stores. The objects behind the interfaces of the API are here; they stand on
 * {@code acquisition} (one call's way to a lease), that on {@code lease} (from the grant to the end), and that on
 * {@code local} (what needs no store). Not exported and free to change.
 */
@NullMarked
package io.mortise.lock.engine;

import org.jspecify.annotations.NullMarked;
