// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

/**
 * One incarnation of a store's server process, from its start to its end, as one client observes it. Immutable.
 *
 * @param id the same for everybody while the process lives, and of no other process, ever
 * @param startedBefore a moment before which the process had certainly started, in the time of {@link System#nanoTime()}
 * @param clockAheadMicros how many microseconds the store's clock, counted from the epoch, is ahead of
 *     {@link System#nanoTime()}: compares the clocks of two stores, and says what time it is at one
 */
public record StoreIncarnation(String id, long startedBefore, long clockAheadMicros) {}
