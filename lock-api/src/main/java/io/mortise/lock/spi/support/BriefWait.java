// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for what comes within microseconds, awake: to put a thread to sleep and to wake it takes longer than that. Where such a wait was
 * in vain some times, nearly all of the next ones are left out, so that a slow store costs no processor time. Thread-safe.
 */
public final class BriefWait {
    private static final long LONGEST_NANOS = 25_000;

    /** After so many in vain, only each of {@value #SELDOM} waits is tried. */
    private static final int PATIENCE = 3;

    private static final int SELDOM = 64;

    private final LongSupplier nanos;

    /** With one processor, nothing can come while this thread has it. */
    private final boolean ofUse;

    /** How many were in vain or left out since one was not. Threads may overwrite each other's counts. */
    private volatile int inVain;

    /** Nothing is known yet of how long waits take. */
    public BriefWait() {
        this(System::nanoTime, Runtime.getRuntime().availableProcessors() > 1);
    }

    BriefWait(LongSupplier nanos, boolean ofUse) {
        this.nanos = nanos;
        this.ofUse = ofUse;
    }

    /**
     * Waits awake, for {@code 25} microseconds at most, or not at all. Does not heed interrupts, and leaves the thread's flag as it is.
     *
     * @param come whether it has come; quick, and asked again and again
     * @return whether it has come; if not, the caller goes on waiting in its own way
     */
    public boolean until(BooleanSupplier come) {
        int before = inVain;
        if (come.getAsBoolean()) {
            return true;
        }
        if (ofUse && (before < PATIENCE || before % SELDOM == 0)) {
            long end = nanos.getAsLong() + LONGEST_NANOS;
            do {
                Thread.onSpinWait();
                if (come.getAsBoolean()) {
                    inVain = 0;
                    return true;
                }
            } while (nanos.getAsLong() - end < 0);
        }
        inVain = before == Integer.MAX_VALUE ? PATIENCE : before + 1;
        return false;
    }
}
