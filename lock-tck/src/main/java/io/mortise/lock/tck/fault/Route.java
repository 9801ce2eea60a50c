// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.fault;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * One client's own network path to the store, such as a proxy, which the suite cuts or delays. Made by
 * {@link Faults#route()}.
 *
 * @param store what {@code LockBackendTck.open} understands: the store, by this way
 * @param cut lets nothing through any more, in both directions; connections stay, nobody is refused, and what is sent
 *     meanwhile may arrive after {@code heal}
 * @param heal ends {@code cut} and {@code delay}; harmless if there is nothing to heal
 * @param delay lets what the store says arrive so much later from now on
 * @param close ends the way, after its clients have been closed
 */
public record Route(String store, Runnable cut, Runnable heal, Consumer<Duration> delay, Runnable close) {}
