// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

/**
 * A stretch of time in which a claim could rely on a lock, as the recorded answers say.
 *
 * @param who the client
 * @param claim the number of its claim
 * @param from in microseconds since the begin of the scene
 * @param to as {@code from}
 */
public record Hold(String who, int claim, long from, long to) {}
