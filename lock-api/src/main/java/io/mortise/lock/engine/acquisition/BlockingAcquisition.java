// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.Nudge;
import org.jspecify.annotations.Nullable;

/** Takes the steps of an acquisition on the calling thread, which waits between them. Used once. */
public final class BlockingAcquisition {
    private final Acquisition acquisition;
    private final Nudge nudge;
    private final Ticker ticker;
    private final boolean interruptible;
    private boolean interruptedMeanwhile;

    /**
     * Does nothing yet.
     *
     * @param nudge what the acquisition runs when another step is worth taking
     * @param interruptible whether an interrupt ends the call; else the flag is kept
     */
    public BlockingAcquisition(Acquisition acquisition, Nudge nudge, Ticker ticker, boolean interruptible) {
        this.acquisition = acquisition;
        this.nudge = nudge;
        this.ticker = ticker;
        this.interruptible = interruptible;
    }

    /** The lease, or null if others held the lock for as long as the call was willing to wait. */
    public @Nullable LeaseHandle run() throws InterruptedException {
        try {
            while (true) {
                heedInterrupt();
                Acquisition.Step step = acquisition.step();
                if (step.isLast()) {
                    return step.lease();
                }
                heedInterrupt();
                nudge.await(ticker, step.until());
            }
        } finally {
            try {
                acquisition.end();
            } finally {
                if (interruptedMeanwhile) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void heedInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            if (interruptible) {
                throw new InterruptedException("interrupted while waiting for lock '" + acquisition.lockName() + "'");
            }
            interruptedMeanwhile = true;
        }
    }
}
