// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After some seconds without free memory every name can be had, leases are renewed, and losses are told. */
@Timeout(120)
class NoMemoryTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int FRESH = 20;

    private static volatile boolean exhausted = true;
    private static final byte[][] BALLAST = new byte[4_000][];

    @Test
    void aClientRecoversFromAnExhaustedHeap() throws IOException, InterruptedException {
        ChildProgram.run(NoMemoryTest.class, 0, "-Xmx48m", "-XX:-UseGCOverheadLimit");
    }

    /** Without this class the JVM never starts a thread of a pool again, however much memory there is later. */
    @Test
    void whatAPoolAsksOfItsThreadsIsThereBeforeMemoryIsShort(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("classes");
        ChildProgram.run(OpenClient.class, 0, "-Xlog:class+init=info:file=" + log);
        assertThat(Files.readString(log).replace('/', '.')).contains("java.lang.Thread$State");
    }

    /** A program that only opens a client. */
    static final class OpenClient {
        private OpenClient() {}

        public static void main(String... arguments) {
            LockClient.connect("memory:open").close();
            Runtime.getRuntime().halt(0);
        }
    }

    public static void main(String... arguments) throws Exception {
        MemoryStore store = new MemoryStore(Ticker.system());
        LockClient locks = LockClient.builder(new MemoryBackend(store))
                .options(LockOptions.defaults().withLease(LEASE))
                .build();
        LockClient other = LockClient.builder(new MemoryBackend(store))
                .options(LockOptions.defaults().withLease(LEASE))
                .build();
        locks.lock("warm").acquire().onLost(loss -> {}).close();
        List<Thread> workers = new ArrayList<>();
        for (String name : NAMES) {
            for (int i = 0; i < 2; i++) {
                workers.add(start(() -> work(locks, name)));
            }
        }
        exhaust();
        exhausted = false;
        for (Thread worker : workers) {
            worker.join(LEASE.multipliedBy(10).toMillis());
            check(!worker.isAlive(), "a worker hangs: " + List.of(worker.getStackTrace()));
        }
        for (String name : NAMES) {
            obtainable(locks, name);
            obtainable(other, name);
        }
        AtomicInteger lost = new AtomicInteger();
        List<Lease> fresh = new ArrayList<>();
        for (int i = 0; i < FRESH; i++) {
            fresh.add(locks.lock("fresh " + i).acquire().onLost(loss -> lost.incrementAndGet()));
        }
        TimeUnit.NANOSECONDS.sleep(LEASE.multipliedBy(3).toNanos());
        check(fresh.stream().allMatch(Lease::isHeld), "fresh leases are not renewed, lost: " + lost);
        for (int i = 0; i < FRESH; i++) {
            store.delete("fresh " + i);
        }
        long start = System.nanoTime();
        while (lost.get() < FRESH && System.nanoTime() - start < 10_000_000_000L) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        check(lost.get() == FRESH, "of " + FRESH + " losses were told " + lost);
        CountDownLatch closed = new CountDownLatch(1);
        start(() -> {
            locks.close();
            closed.countDown();
        });
        check(closed.await(20, TimeUnit.SECONDS), "the client cannot be closed");
        System.exit(0);
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Locks and unlocks, whatever is thrown. */
    private static void work(LockClient locks, String name) {
        while (exhausted) {
            try {
                Lease lease = locks.lock(name).tryAcquire(LEASE).orElse(null);
                if (lease != null) {
                    lease.close();
                }
            } catch (Throwable noMemory) {
                Thread.onSpinWait();
            }
        }
    }

    /** Uses up all memory for some seconds, down to the last bytes, and gives it back. */
    @SuppressWarnings("ThreadPriorityCheck") // those that want memory are to get a turn
    private static void exhaust() {
        long end = System.nanoTime() + 6_000_000_000L;
        int filled = 0;
        int size = 1 << 20;
        while (System.nanoTime() - end < 0) {
            try {
                byte[] block = new byte[size];
                if (filled < BALLAST.length) {
                    BALLAST[filled++] = block;
                }
            } catch (OutOfMemoryError full) {
                size = Math.max(16, size / 2);
                Thread.yield();
            }
        }
        // Not by a method, since linking it takes memory.
        for (int i = 0; i < BALLAST.length; i++) {
            BALLAST[i] = null;
        }
    }

    private static void obtainable(LockClient locks, String name) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread asking = start(() -> {
            try {
                Optional<Lease> lease = locks.lock(name).tryAcquire(LEASE.multipliedBy(8));
                if (lease.isPresent() && lease.get().release()) {
                    done.countDown();
                }
            } catch (Throwable failure) {
                failure.printStackTrace(System.out);
            }
        });
        check(
                done.await(20, TimeUnit.SECONDS),
                "lock " + name + " cannot be had; the thread is at " + List.of(asking.getStackTrace()));
    }

    /** Ends the program if something is not so. */
    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            System.err.println(otherwise);
            Thread.getAllStackTraces().forEach((thread, stack) -> System.err.println(thread + " " + List.of(stack)));
            Runtime.getRuntime().halt(1);
        }
    }
}
