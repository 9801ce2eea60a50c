// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.util.concurrent.atomic.AtomicLong;

/** Random numbers of a seed, for many threads; making one allocates nothing. Thread-safe. */
final class Dice {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final AtomicLong state;

    Dice(long seed) {
        state = new AtomicLong(seed);
    }

    private long next() {
        long mixed = state.addAndGet(STEP);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 on, less than {@code bound}. */
    int below(int bound) {
        return (int) ((next() >>> 33) % bound);
    }

    /** From {@code least} to {@code most}. */
    int between(int least, int most) {
        return least + below(most - least + 1);
    }

    boolean chance(double share) {
        return (next() >>> 11) * 0x1.0p-53 < share;
    }
}
