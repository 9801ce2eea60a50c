// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The clock, the limits, the timer, the clean-up and the event dispatcher that all leases of one client share.
 * Thread-safe.
 *
 * @param callTimeout how long one question to the store may take
 * @param clockDrift fraction of each lease that is subtracted for clock drift
 */
public record LeaseServices(
        Ticker ticker,
        Duration callTimeout,
        double clockDrift,
        LeaseTimer timer,
        Cleanup cleanup,
        EventDispatcher events) {
    /** Starts no thread: they come with the work and go without it. */
    public static LeaseServices of(
            LockBackend backend,
            Ticker ticker,
            Duration callTimeout,
            double clockDrift,
            EventDispatcher events,
            Executor workers) {
        Renewer renewer = new Renewer(backend, ticker, workers, callTimeout);
        LeaseTimer timer = new LeaseTimer(ticker, renewer::addAll);
        return new LeaseServices(
                ticker, callTimeout, clockDrift, timer, new Cleanup(ticker, workers, callTimeout), events);
    }
}
