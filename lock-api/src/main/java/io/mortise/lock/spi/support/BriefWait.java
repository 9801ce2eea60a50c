// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for what comes within microseconds, awake: to put a thread to sleep and to wake it takes longer than that. Where such a wait was
 * in vain some times, the next ones are left out, so that a slow store costs no processor time. Now and then one is tried all the
 * same, less and less often while that helps nothing. Two threads that wait for each other should share one object: to stay awake helps
 * each of them only if the other one does, too. Thread-safe.
 */
public final class BriefWait {
    private static final long LONGEST_NANOS = 50_000;

    /** A trial also waits until the other thread has woken up. */
    private static final long TRIAL_NANOS = 200_000;

    /** After so many in vain, waits are left out. */
    private static final int PATIENCE = 3;

    /** So many are left out before a trial, and twice as many after each, as long as none was short that followed. */
    private static final int FEWEST_LEFT_OUT = 64;

    private static final int MOST_LEFT_OUT = 4096;

    private final LongSupplier nanos;

    /** With one processor, nothing can come while this thread has it. */
    private final boolean ofUse;

    /** How many were in vain or left out since one was not. Threads may overwrite each other's counts. */
    private volatile int inVain;

    private volatile int untilTrial = FEWEST_LEFT_OUT;

    /** Nothing is known yet of how long waits take. */
    public BriefWait() {
        this(System::nanoTime, Runtime.getRuntime().availableProcessors() > 1);
    }

    BriefWait(LongSupplier nanos, boolean ofUse) {
        this.nanos = nanos;
        this.ofUse = ofUse;
    }

    /**
     * Waits awake, for 50 microseconds at most, or not at all; seldom for 200. Does not heed interrupts, and leaves the thread's flag as it is.
     *
     * @param come whether it has come; quick, and asked again and again
     * @return whether it has come; if not, the caller goes on waiting in its own way
     */
    public boolean until(BooleanSupplier come) {
        if (come.getAsBoolean()) {
            return true;
        }
        if (!ofUse) {
            return false;
        }
        int before = inVain;
        boolean isTrial = before >= untilTrial;
        if (before >= PATIENCE && !isTrial) {
            inVain = before + 1;
            return false;
        }
        boolean hasCome = comesWithin(isTrial ? TRIAL_NANOS : LONGEST_NANOS, come);
        if (isTrial) {
            untilTrial = Math.min(2 * untilTrial, MOST_LEFT_OUT);
            inVain = hasCome ? 0 : PATIENCE;
        } else if (hasCome) {
            untilTrial = FEWEST_LEFT_OUT;
            inVain = 0;
        } else {
            inVain = before + 1;
        }
        return hasCome;
    }

    private boolean comesWithin(long waitNanos, BooleanSupplier come) {
        long end = nanos.getAsLong() + waitNanos;
        do {
            Thread.onSpinWait();
            if (come.getAsBoolean()) {
                return true;
            }
        } while (nanos.getAsLong() - end < 0);
        return false;
    }
}
