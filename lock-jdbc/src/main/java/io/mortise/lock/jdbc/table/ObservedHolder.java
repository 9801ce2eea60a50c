// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

/**
 * A holder as its row showed it.
 *
 * @param owner who
 * @param version changes with each renewal
 */
public record ObservedHolder(String owner, long version) {}
