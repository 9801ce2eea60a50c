// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
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

/**
 * One process of a fleet: works under locks, in several threads, until its standard input ends. Arguments: the URL, a file to which it adds a line for
 * each piece of work ({@code LOCK TOKEN BEGIN END}, in nanoseconds of the host's monotonic clock), the number of threads.
 */
public final class FleetProgram {
    static final int LOCKS = 20;
    static final Duration LEASE = Duration.ofSeconds(3);
    static final String READY = "ready";

    /** What a line begins with that tells how it goes. */
    static final String TOLD = "fleet: ";

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final long LONGEST_WORK_MICROS = 8000;

    private static final AtomicBoolean STOPPED = new AtomicBoolean();
    private static final AtomicBoolean READY_SAID = new AtomicBoolean();
    private static final AtomicLong LOST = new AtomicLong();
    private static final AtomicLong TIMEOUTS = new AtomicLong();
    private static final AtomicLong LONGEST_WAIT_NANOS = new AtomicLong();

    private FleetProgram() {}

    /** Says {@link #READY} on standard output when it has held its first lock, and in the end how it went. */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        // Each line is written at once: the process may be killed.
        try (PrintStream out = new PrintStream(
                        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                        false,
                        StandardCharsets.US_ASCII);
                LockClient client = LockClient.builder(arguments[0])
                        .options(LockOptions.defaults().withLease(LEASE))
                        .build()) {
            boolean fenced = client.features().contains(Feature.FENCED);
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Random random = new Random(ProcessHandle.current().pid() * 31 + i);
                Thread worker = new Thread(() -> {
                    while (!STOPPED.get()) {
                        work(client, fenced, random, out);
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

    private static void work(LockClient client, boolean fenced, Random random, PrintStream out) {
        String lock = "lock-" + random.nextInt(LOCKS);
        long asked = System.nanoTime();
        try {
            Optional<Lease> granted = client.lock(lock).tryAcquire(WAIT);
            if (granted.isEmpty()) {
                TIMEOUTS.incrementAndGet();
                return;
            }
            LONGEST_WAIT_NANOS.accumulateAndGet(System.nanoTime() - asked, Math::max);
            try (Lease lease = granted.get()) {
                workUnder(lease, fenced, random.nextInt((int) LONGEST_WORK_MICROS) * 1000L, out);
            }
        } catch (LockReleaseException unconfirmed) {
            say(TOLD + "release: " + unconfirmed.getMessage());
        } catch (LockException failure) {
            say(TOLD + "failed: " + failure.getMessage());
            pause();
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    private static void workUnder(Lease lease, boolean fenced, long nanos, PrintStream out)
            throws InterruptedException {
        long begin = System.nanoTime();
        if (!lease.isHeld()) {
            return;
        }
        long held = begin;
        while (held - begin < nanos) {
            Thread.sleep(1);
            long now = System.nanoTime();
            if (!lease.isHeld()) {
                LOST.incrementAndGet();
                say(TOLD + "lost: " + lossOf(lease));
                break;
            }
            held = now;
        }
        String line = lease.lockName() + " " + (fenced ? lease.fencingToken() : 0) + " " + begin + " " + held + "\n";
        synchronized (out) {
            out.print(line);
            out.flush();
        }
        if (READY_SAID.compareAndSet(false, true)) {
            say(READY);
        }
    }

    private static String lossOf(Lease lease) {
        try {
            lease.ensureHeld();
            return "no cause";
        } catch (LockException lost) {
            return String.valueOf(lost.getMessage());
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void say(String line) {
        System.out.println(line);
    }
}
