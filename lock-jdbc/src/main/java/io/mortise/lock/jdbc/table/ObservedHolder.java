// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

/**
 * The holder of a lock as a client has read it from the row.
 *
 * @param owner who
 * @param version changes with each renewal
 */
public record ObservedHolder(String owner, long version) {}
