// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;

/**
 * Somebody who takes part in a measurement.
 *
 * @param name as the tables have it
 * @param waits whether a thread can wait for a lock that somebody holds
 * @param opener for the address of a store
 */
record Entrant(String name, boolean waits, Contestant.Opener opener) {}
