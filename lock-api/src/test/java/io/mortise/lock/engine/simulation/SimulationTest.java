// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Callers are told the truth in each of many schedules, which differ in the order of all steps, in what the network does, and in who is
 * stopped, closed and revoked. {@code -Dmortise.schedules=1000000} says how many, {@code -Dmortise.schedules.first} where to
 * begin: the schedule that a failure names is the same each time.
 */
class SimulationTest {
    /** So many find each fault of {@link FaultsAreFoundTest}. */
    static final long SCHEDULES = 20_000;

    private static final int THREADS = 2;

    /** Else a number that a failure names would be of no use. */
    @Test
    void aScheduleIsTheSameEachTime() {
        for (long seed = 1; seed <= 200; seed++) {
            assertThat(Schedule.run(seed)).as("schedule %d", seed).isEqualTo(Schedule.run(seed));
        }
    }

    @Test
    void callersAreToldTheTruth() throws InterruptedException {
        long first = Long.getLong("mortise.schedules.first", 1);
        long count = Long.getLong("mortise.schedules", Boolean.getBoolean("mortise.quick") ? 5_000 : SCHEDULES);
        AtomicLong next = new AtomicLong(first);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(() -> {
                for (long seed = next.getAndIncrement();
                        seed < first + count && failure.get() == null;
                        seed = next.getAndIncrement()) {
                    try {
                        String unused = Schedule.run(seed);
                    } catch (Throwable broken) {
                        failure.compareAndSet(null, broken);
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(next.get()).isGreaterThanOrEqualTo(first + count);
    }
}
