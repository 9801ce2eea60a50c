// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where the system gives few threads, or none for a while, listeners are told all the same, and leases are renewed. */
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, disabledReason = "limits are set by the shell's ulimit; run on Linux")
class FewThreadsTest {
    private static final int LEASES = 1_000;
    private static final LockOptions RENEWED = LockOptions.defaults().withLease(Duration.ofSeconds(3));
    private static final LockOptions ENDING = RENEWED.withRenewal(false);

    /** Each thread takes a quarter of a gigabyte of eight. */
    private static void run(Class<?> main) throws IOException, InterruptedException {
        ChildProgram.run(
                main,
                8_000_000,
                "-Xmx200m",
                "-XX:ThreadStackSize=262144",
                "-XX:CompressedClassSpaceSize=32m",
                "-XX:ReservedCodeCacheSize=32m");
    }

    @Test
    void noLossGoesUntoldAndNoLeaseUnrenewed() throws IOException, InterruptedException {
        run(FewThreadsTest.class);
    }

    @Test
    void aGrantForWhichNoTimerCanBeStartedIsGivenBackAtOnce() throws IOException, InterruptedException {
        run(NoTimer.class);
    }

    public static void main(String... arguments) throws Exception {
        MemoryStore store = new MemoryStore(Ticker.system());
        LockClient locks = LockClient.builder(new MemoryBackend(store)).build();
        AtomicInteger lostRenewed = new AtomicInteger();
        Lease kept = locks.lock("kept", RENEWED).acquire().onLost(loss -> lostRenewed.incrementAndGet());
        AtomicInteger told = new AtomicInteger();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(locks.lock("lock " + i, ENDING).acquire().onLost(loss -> {
                LockSupport.parkNanos(6_000_000);
                told.incrementAndGet();
            }));
        }
        List<Thread> all = allThreads(1);
        long start = System.nanoTime();
        while (told.get() < LEASES && System.nanoTime() - start < 30_000_000_000L) {
            TimeUnit.MILLISECONDS.sleep(10);
            if (System.nanoTime() - start > 6_000_000_000L) {
                all.forEach(Thread::interrupt);
            }
        }
        String outcome = "beside " + all.size() + " other threads " + told + " of " + LEASES
                + " losses were told; the renewed lease is " + kept + ", lost " + lostRenewed;
        System.out.println(outcome);
        boolean right = told.get() == LEASES
                && lostRenewed.get() == 0
                && kept.isHeld()
                && leases.stream().noneMatch(Lease::isHeld);
        Runtime.getRuntime().halt(right ? 0 : 1);
    }

    /** Acquires the first lease of a client, whose timer would start with it, where there is no thread left. */
    static final class NoTimer {
        private NoTimer() {}

        public static void main(String... arguments) throws Exception {
            MemoryStore store = new MemoryStore(Ticker.system());
            LockClient locks = LockClient.builder(new MemoryBackend(store)).build();
            LockClient other = LockClient.builder(new MemoryBackend(store)).build();
            other.lock("warm").acquire().close();
            List<Thread> all = allThreads(0);
            String thrown = "nothing";
            try {
                locks.lock("a").acquire();
            } catch (OutOfMemoryError noThread) {
                thrown = "an OutOfMemoryError";
            }
            boolean free = other.lock("a").holder().isEmpty();
            all.forEach(Thread::interrupt);
            for (Thread thread : all) {
                thread.join();
            }
            Lease lease = locks.lock("a", RENEWED).acquire();
            boolean renewed = becomes(() -> lease.remaining().compareTo(Duration.ofMillis(2_300)) < 0)
                    && becomes(() -> lease.remaining().compareTo(Duration.ofMillis(2_500)) > 0);
            System.out.println(
                    "without threads acquire() threw " + thrown + "; the lock was " + (free ? "free" : "not free")
                            + " then; the next lease was " + (renewed ? "" : "not ") + "renewed");
            Runtime.getRuntime().halt(thrown.equals("nothing") || !free || !renewed ? 1 : 0);
        }
    }

    private static boolean becomes(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > 10_000_000_000L) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    /** Takes all threads that the system gives but so many, until they are interrupted. */
    private static List<Thread> allThreads(int left) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try {
            while (true) {
                Thread thread = new Thread(() -> {
                    try {
                        TimeUnit.HOURS.sleep(1);
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError noMore) {
            for (int i = 0; i < left; i++) {
                Thread last = threads.remove(threads.size() - 1);
                last.interrupt();
                last.join();
            }
        }
        return threads;
    }
}
