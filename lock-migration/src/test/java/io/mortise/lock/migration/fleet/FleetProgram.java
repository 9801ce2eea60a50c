// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.spi.Feature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * One process of a fleet: works under locks, in several threads, until its standard input ends. Arguments: the URL, a file to which it adds a line for
 * each piece of work ({@code LOCK TOKEN BEGIN END}, in nanoseconds of the host's monotonic clock), the number of threads, for how many milliseconds each rests after its work.
 */
public final class FleetProgram {
    static final int LOCKS = 20;

    /** Of all locks. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    static final String READY = "ready";

    /** What a line begins with that tells how it goes. */
    static final String TOLD = "fleet: ";

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final long LONGEST_WORK_MICROS = 8000;
    private static final long FAILURE_PAUSE = 20;

    private static final AtomicBoolean STOPPED = new AtomicBoolean();
    private static final AtomicBoolean READY_SAID = new AtomicBoolean();
    private static final AtomicLong LOST = new AtomicLong();
    private static final AtomicLong TIMEOUTS = new AtomicLong();
    private static final AtomicLong LONGEST_WAIT_NANOS = new AtomicLong();

    private FleetProgram() {}

    /** What a process locks with. */
    public interface Locks extends AutoCloseable {
        /**
         * Waits for a lock; empty if others had it.
         *
         * @throws Exception if it is not known whether it was had
         */
        Optional<Held> tryAcquire(String lock, Duration wait) throws Exception;

        @Override
        void close();
    }

    /** A lock that is held. */
    public interface Held {
        /** Whether it may be relied on now. */
        boolean isHeld();

        /** Its token; 0 if it has none. */
        long token();

        /** Gives it back. */
        void release();
    }

    /** A client of this library. */
    private record OwnLocks(LockClient client, boolean fenced) implements Locks {
        static OwnLocks connect(String url) {
            LockClient client = LockClient.builder(url)
                    .options(LockOptions.defaults().withLease(LEASE))
                    .build();
            return new OwnLocks(client, client.features().contains(Feature.FENCED));
        }

        @Override
        public Optional<Held> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return client.lock(lock).tryAcquire(wait).map(lease -> new OwnHeld(lease, fenced));
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record OwnHeld(Lease lease, boolean fenced) implements Held {
        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public long token() {
            return fenced ? lease.fencingToken() : 0;
        }

        /** The exception of a lease that was lost says how. */
        @Override
        public void release() {
            lease.close();
        }
    }

    /** Says {@link #READY} on standard output when it has held its first lock, and in the end how it went. */
    public static void main(String[] arguments) throws Exception {
        run(arguments, OwnLocks::connect);
    }

    /** The same with other locks. */
    public static void run(String[] arguments, Function<String, Locks> opening) throws Exception {
        Path file = Path.of(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        long rest = Long.parseLong(arguments[3]);
        // Each line is written at once: the process may be killed.
        try (PrintStream out = new PrintStream(
                        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                        false,
                        StandardCharsets.US_ASCII);
                Locks locks = opening.apply(arguments[0])) {
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Random random = new Random(ProcessHandle.current().pid() * 31 + i);
                Thread worker = new Thread(() -> {
                    while (!STOPPED.get()) {
                        work(locks, random, out);
                        pause(rest);
                    }
                });
                worker.start();
                workers.add(worker);
            }
            awaitEndOfInput();
            STOPPED.set(true);
            for (Thread worker : workers) {
                worker.join();
            }
        }
        say(TOLD + "lost=" + LOST + " timeouts=" + TIMEOUTS + " longest-wait-ms="
                + LONGEST_WAIT_NANOS.get() / 1_000_000);
        Runtime.getRuntime().halt(0); // whatever threads a driver has left
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Only its end tells something.
        }
    }

    @SuppressWarnings("CatchingUnchecked") // another library throws what it likes
    private static void work(Locks locks, Random random, PrintStream out) {
        String lock = "lock-" + random.nextInt(LOCKS);
        long asked = System.nanoTime();
        try {
            Optional<Held> granted = locks.tryAcquire(lock, WAIT);
            if (granted.isEmpty()) {
                TIMEOUTS.incrementAndGet();
                return;
            }
            LONGEST_WAIT_NANOS.accumulateAndGet(System.nanoTime() - asked, Math::max);
            try {
                workUnder(lock, granted.get(), random.nextInt((int) LONGEST_WORK_MICROS) * 1000L, out);
            } finally {
                granted.get().release();
            }
        } catch (LockLostException lost) {
            LOST.incrementAndGet();
            say(TOLD + "lost: " + lost.getMessage());
        } catch (LockReleaseException unconfirmed) {
            say(TOLD + "release: " + unconfirmed.getMessage());
        } catch (Exception failure) {
            say(TOLD + "failed: " + failure.getMessage());
            pause(FAILURE_PAUSE);
        }
    }

    private static void workUnder(String lock, Held lease, long nanos, PrintStream out) throws InterruptedException {
        long begin = System.nanoTime();
        if (!lease.isHeld()) {
            return;
        }
        long held = begin;
        while (held - begin < nanos) {
            Thread.sleep(1);
            long now = System.nanoTime();
            if (!lease.isHeld()) {
                break;
            }
            held = now;
        }
        String line = lock + " " + lease.token() + " " + begin + " " + held + "\n";
        synchronized (out) {
            out.print(line);
            out.flush();
        }
        if (READY_SAID.compareAndSet(false, true)) {
            say(READY);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void say(String line) {
        System.out.println(line);
    }
}
