// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Waiting: one call's way to a lease. Takes a place in the local queue, then asks the store until it grants, others have
 * held the lock for too long, or the store has been silent for too long; all in one budget. Used once, by one thread.
 */
final class Acquisition {
    private final Engine engine;
    private final Ticker ticker;
    private final String name;
    private final LockOptions options;
    private final Budget budget;
    private final boolean interruptible;
    private final Nudge nudge = new Nudge();
    private boolean interruptedMeanwhile;

    Acquisition(Engine engine, String name, LockOptions options, Budget budget, boolean interruptible) {
        this.engine = engine;
        this.ticker = engine.ticker();
        this.name = name;
        this.options = options;
        this.budget = budget;
        this.interruptible = interruptible;
    }

    /** The lease, or null if others held the lock for the whole budget. */
    @Nullable
    LeaseHandle run() throws InterruptedException {
        engine.begin(this);
        try {
            heedInterrupt();
            Hold hold = inQueue();
            while (hold != null && !hold.isHeld() && !budget.endsAfterRefusal(ticker.nanos())) {
                // Lost on the way here, as after a long pause of this thread.
                hold = inQueue();
            }
            long took = ticker.nanos() - budget.start();
            if (hold == null) {
                engine.events().timedOut(name, took);
                return null;
            }
            if (engine.isClosed()) {
                engine.releaseQuietly(hold);
                engine.ensureOpen(name);
            }
            engine.events().acquired(name, took);
            return new LeaseHandle(hold);
        } catch (LockException failure) {
            engine.events().failed(name, ticker.nanos() - budget.start(), failure);
            throw failure;
        } finally {
            engine.end(this);
            if (interruptedMeanwhile) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes it look again, and notice that the client was closed. */
    void wake() {
        nudge.run();
    }

    private @Nullable Hold inQueue() throws InterruptedException {
        LocalQueue queue = engine.queue();
        LocalQueue.Place place = budget.waits() ? queue.enter(name, options) : queue.tryEnter(name, options);
        if (place == null) {
            return null;
        }
        Hold hold = null;
        try {
            while (!place.isInside()) {
                engine.ensureOpen(name);
                long now = ticker.nanos();
                long left = budget.left(now);
                if (left <= 0) {
                    return null;
                }
                place.await(now + left);
                heedInterrupt();
            }
            Hold handedOver = place.hold();
            hold = handedOver == null ? atStore(place) : handedOver;
            return hold;
        } finally {
            if (hold == null) {
                place.leave();
                Hold handedOverTooLate = place.hold();
                if (handedOverTooLate != null) {
                    engine.releaseQuietly(handedOverTooLate);
                }
            }
        }
    }

    private @Nullable Hold atStore(LocalQueue.Place place) throws InterruptedException {
        Claim claim = engine.claim(name, options, budget.waits(), nudge);
        Settlement settlement = new Settlement(claim);
        Backoff backoff = new Backoff(engine.isPrompt(), options.lease());
        long answeredAt = budget.start();
        boolean doubt = false;
        boolean settled = false;
        RuntimeException silence = null;
        try {
            while (true) {
                engine.ensureOpen(name);
                Validity.Stamp asked = Validity.Stamp.now(ticker);
                silence = null;
                try {
                    boolean granted = claim.tryAcquire(budget.forCall(asked.nanos(), engine.callTimeout()));
                    if (granted) {
                        Validity validity = Validity.of(asked, options.lease(), claim.leaseSpent(), engine.drift());
                        if (validity.remaining(ticker) > 0) {
                            settled = true;
                            return engine.hold(claim, settlement, place, validity);
                        }
                        silence = new BackendException("the store's yes came when the lease was over", null);
                    } else {
                        answeredAt = ticker.nanos();
                    }
                } catch (BackendException unanswered) {
                    unanswered.end().ifPresent(settlement::follow);
                    silence = unanswered;
                } catch (LockConfigurationException never) {
                    throw never;
                } catch (RuntimeException unanswered) {
                    silence = unanswered;
                } catch (InterruptedException interrupted) {
                    silence = new BackendException("interrupted before the store answered", interrupted);
                    Thread.currentThread().interrupt();
                }
                doubt |= silence != null;
                heedInterrupt();
                long now = ticker.nanos();
                if (silence == null ? budget.endsAfterRefusal(now) : budget.endsAfterSilence(now, answeredAt)) {
                    break;
                }
                long pause = silence == null ? backoff.afterRefusal(claim.retryAfter()) : backoff.afterSilence();
                nudge.await(ticker, now + (budget.waits() ? Math.min(pause, budget.left(now)) : pause));
                heedInterrupt();
            }
        } finally {
            if (!settled && (doubt || budget.waits())) {
                giveUp(settlement, silence != null);
            }
        }
        if (silence == null) {
            return null;
        }
        throw new LockStoreException(
                name,
                "the store did not answer for lock '" + name + "' within "
                        + (ticker.nanos() - budget.start()) / 1_000_000
                        + " ms, so whether it is free is not known; check the store, then try again: "
                        + silence.getMessage(),
                silence);
    }

    /** A store that answers is left clean before the call returns; a silent one is not waited for. */
    private void giveUp(Settlement settlement, boolean silent) {
        if (!silent) {
            try {
                settlement.release(ticker, budget.forCall(ticker.nanos(), engine.callTimeout()));
                return;
            } catch (RuntimeException unanswered) {
                // the cleanup goes on trying
            }
        }
        engine.cleanup().release(name, settlement, Nanos.of(options.lease()));
    }

    private void heedInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            if (interruptible) {
                throw new InterruptedException("interrupted while waiting for lock '" + name + "'");
            }
            interruptedMeanwhile = true;
        }
    }
}
