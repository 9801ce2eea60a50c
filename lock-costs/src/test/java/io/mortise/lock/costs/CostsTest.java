// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No lock becomes dearer unnoticed: what a process allocates and executes, and what a store is asked, for a lock that nobody else wants.
 * Times are no part of it, since they tell more of the machine; {@code ./bench} compares them.
 */
@Timeout(300)
class CostsTest {
    /** What is made once, and what others do now and then, counts little. */
    private static final int TIMES = 400;

    private static final int ROUNDS = 3;
    private static final double TOLERATED = 1.1;

    @ParameterizedTest
    @EnumSource
    void noLockIsDearerThanRecorded(Store store) throws Exception {
        double bytes = Double.MAX_VALUE;
        double requests = Double.MAX_VALUE;
        try (Store.Running running = store.start();
                CountedLocks locks = new CountedLocks(running.url())) {
            locks.accept(TIMES);
            for (int round = 0; round < ROUNDS; round++) {
                long asked = running.requests().count();
                Allocation before = Allocation.now();
                locks.accept(TIMES);
                bytes = Math.min(bytes, Allocation.now().since(before) / (double) TIMES);
                requests = Math.min(requests, (running.requests().count() - asked) / (double) TIMES);
            }
        }
        System.out.printf(Locale.ROOT, "%s: %.0f bytes and %.2f requests for a lock%n", store, bytes, requests);

        assertThat(bytes).as("bytes that the process allocates").isLessThanOrEqualTo(store.bytes * TOLERATED);
        assertThat(requests).as("requests to the store").isLessThanOrEqualTo(store.requests * TOLERATED);
    }

    /**
     * Of the classes that run above the JDK. Their count tells what a lock costs the processor, on any machine; not where a thread waits
     * awake, as for a database in the same process.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"H2", "SQLITE"})
    void noLockExecutesMoreInstructionsThanRecorded(Store store) throws Exception {
        double instructions = Double.MAX_VALUE;
        Class<?> counted =
                new CountingClassLoader(CostsTest.class.getClassLoader()).loadClass(CountedLocks.class.getName());
        try (Store.Running running = store.start();
                AutoCloseable locks =
                        (AutoCloseable) counted.getConstructor(String.class).newInstance(running.url())) {
            ((IntConsumer) locks).accept(TIMES);
            for (int round = 0; round < ROUNDS; round++) {
                long before = CountedInstructions.soFar();
                ((IntConsumer) locks).accept(TIMES);
                instructions = Math.min(instructions, (CountedInstructions.soFar() - before) / (double) TIMES);
            }
        }
        System.out.printf(Locale.ROOT, "%s: %.0f instructions for a lock%n", store, instructions);

        assertThat(instructions)
                .as("instructions above the JDK")
                .isBetween(store.instructions / 2.0, store.instructions * TOLERATED);
    }
}
