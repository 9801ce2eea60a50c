// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import io.mortise.lock.Ticker;
import org.jspecify.annotations.Nullable;

/** Wakes one waiting thread. Nudges that come while nobody waits are kept, as one. Any thread may nudge. */
public final class Nudge implements Runnable {
    private final Environment environment;
    private volatile boolean nudged;
    private volatile @Nullable Thread waiter;

    /** Nobody waits yet. */
    public Nudge(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void run() {
        nudged = true;
        environment.unpark(waiter);
    }

    /** Waits until nudged, until {@code end}, or until the thread is interrupted; the interrupt flag stays as it is. */
    public void await(Ticker ticker, long end) {
        waiter = Thread.currentThread();
        try {
            while (!nudged
                    && end - ticker.nanos() > 0
                    && !Thread.currentThread().isInterrupted()) {
                ticker.parkUntil(this, end);
            }
        } finally {
            waiter = null;
            nudged = false;
        }
    }
}
