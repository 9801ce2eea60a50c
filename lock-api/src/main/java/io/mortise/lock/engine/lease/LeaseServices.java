// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.Turns;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What all leases of one client share: the clock, the limits, the timer, the renewer, the clean-up and the event dispatcher.
 * Thread-safe.
 *
 * @param store the store's name in events
 * @param bounds the leases that the store can honour
 * @param callTimeout how long one question to the store may take
 * @param clockDrift fraction of each lease that is subtracted for clock drift
 * @param turns lets clients that poll have theirs
 */
public record LeaseServices(
        Environment environment,
        Ticker ticker,
        String store,
        LeaseBounds bounds,
        Duration callTimeout,
        double clockDrift,
        LeaseTimer timer,
        Renewer renewer,
        Cleanup cleanup,
        EventDispatcher events,
        Turns turns) {
    private static final Duration SHORT_CALL = Duration.ofMillis(200);

    /** How long a question may take for whose answer nobody has time any more. */
    public Duration shortCall() {
        return callTimeout.compareTo(SHORT_CALL) < 0 ? callTimeout : SHORT_CALL;
    }

    /**
     * Starts no thread: they come with the work and go without it.
     *
     * @param renewals what runs renewals, and nothing else
     * @param workers what runs the clean-up
     * @param interrupts what interrupts threads; where no thread can be had for it, the timer's own does it
     * @param others what else the timer starts again where no thread could be had
     */
    public static LeaseServices of(
            LockBackend backend,
            Environment environment,
            Ticker ticker,
            String store,
            Duration callTimeout,
            double clockDrift,
            EventDispatcher events,
            Executor renewals,
            Executor workers,
            WorkQueue interrupts,
            WorkQueue others) {
        Renewer renewer = new Renewer(backend, environment, ticker, renewals, callTimeout);
        Cleanup cleanup = new Cleanup(environment, ticker, workers, callTimeout);
        BooleanSupplier startAll = () -> {
            interrupts.startOrRun();
            boolean renewing = renewer.start();
            boolean releasing = cleanup.start();
            boolean telling = events.start();
            return others.start() && renewing && releasing && telling;
        };
        LeaseTimer timer = new LeaseTimer(environment, ticker, startAll);
        cleanup.whenNoThread(timer::startAgainSoon);
        events.whenNoThread(timer::startAgainSoon);
        interrupts.whenNoThread(timer::startAgainSoon);
        others.whenNoThread(timer::startAgainSoon);
        boolean polls = !backend.features().contains(Feature.PROMPT)
                && !backend.features().contains(Feature.FAIR);
        return new LeaseServices(
                environment,
                ticker,
                store,
                backend.leaseBounds(),
                callTimeout,
                clockDrift,
                timer,
                renewer,
                cleanup,
                events,
                new Turns(polls));
    }
}
