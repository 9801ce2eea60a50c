// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class VirtualThreadsTest {
    private static final int THREADS = 10_000;

    private static int counter;

    /** Ten thousand virtual threads, one carrier, one lock, and a counter that nothing else protects. */
    public static void main(String... arguments) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (LockClient locks = LockClient.connect("memory:virtual")) {
            ExecutorService threads = (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            for (int i = 0; i < THREADS; i++) {
                threads.execute(() -> {
                    try (Lease lease = locks.lock("one").acquire()) {
                        lease.ensureHeld();
                        int read = counter;
                        LockSupport.parkNanos(1);
                        counter = read + 1;
                    } catch (Throwable thrown) {
                        failure.compareAndSet(null, thrown);
                    }
                });
            }
            threads.shutdown();
            if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
                throw new AssertionError("only " + counter + " threads got through");
            }
        }
        if (failure.get() != null || counter != THREADS) {
            throw new AssertionError("counted " + counter, failure.get());
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "this JVM has no virtual threads; run on 21 or newer")
    void tenThousandThreadsFinishOnOneCarrier() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        VirtualThreadsTest.class.getName())
                .inheritIO()
                .start();
        assertThat(program.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isZero();
    }
}
