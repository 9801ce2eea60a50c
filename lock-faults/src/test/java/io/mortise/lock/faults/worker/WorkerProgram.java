// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.worker;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.faults.guard.GuardedWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main program of a worker: opens a client, lets some threads use locks until its standard input says how to end, closes the
 * client, and tells what is left of it. Ends at once when its parent does.
 */
public final class WorkerProgram {
    /** Let the threads release, then close. */
    static final String STOP = "stop";

    /** Close while the threads hold locks. */
    static final String CLOSE = "close";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private WorkerProgram() {}

    /**
     * The arguments are the URL, the file of the journal, the port of the guarded place or 0, the seed, the number of threads, the longest
     * lease in milliseconds, and the names of the locks.
     */
    public static void main(String[] arguments) throws Exception {
        Journal journal = new Journal(arguments[1]);
        journal.add("CLOCK", System.nanoTime());
        watchStalls(journal);
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread listener = new Thread(() -> end.complete(read()), "faults end");
        listener.setDaemon(true);
        listener.start();
        Duration longestLease = Duration.ofMillis(Long.parseLong(arguments[5]));
        LockClient client = open(arguments[0], longestLease, journal, end);
        if (client == null) {
            Runtime.getRuntime().halt(0);
            return;
        }
        journal.add("OPEN", System.nanoTime());
        List<String> names = List.of(arguments).subList(6, arguments.length);
        long seed = Long.parseLong(arguments[3]);
        List<LockUser> users = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[4]); i++) {
            int port = Integer.parseInt(arguments[2]);
            GuardedWriter place = port == 0 ? null : new GuardedWriter(port);
            LockUser user = new LockUser(client, names, journal, place, seed + i, longestLease.toNanos());
            Thread thread = new Thread(user, "faults user " + i);
            thread.setDaemon(true);
            thread.start();
            users.add(user);
            threads.add(thread);
        }
        String word = end.get();
        users.forEach(LockUser::stop);
        if (word.equals(STOP)) {
            join(threads);
        }
        journal.add("CLOSING", System.nanoTime());
        client.close();
        journal.add("CLOSED", System.nanoTime());
        join(threads);
        journal.add("LEFT", System.nanoTime(), left());
        Runtime.getRuntime().halt(0);
    }

    /** The store may be out of order when a process starts. */
    private static @Nullable LockClient open(String url, Duration lease, Journal journal, Future<String> end) {
        while (!end.isDone()) {
            try {
                return LockClient.builder(url)
                        .options(LockOptions.defaults().withLease(lease))
                        .build();
            } catch (LockException failure) {
                journal.add(
                        "UNOPENED",
                        System.nanoTime(),
                        failure.getClass().getSimpleName(),
                        String.valueOf(failure.getMessage()));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
            }
        }
        return null;
    }

    private static String read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = input.readLine();
            if (line == null) {
                Runtime.getRuntime().halt(3);
            }
            return line;
        } catch (IOException broken) {
            Runtime.getRuntime().halt(3);
            return STOP;
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    /** The threads of a closed client, once they have had time to end. */
    private static String left() {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            List<String> names = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.isAlive() && thread.getName().startsWith("mortise-"))
                    .map(thread -> thread.getName().replace(' ', '_'))
                    .toList();
            if (names.isEmpty() || System.nanoTime() - end > 0) {
                return String.join(",", names);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** A loss that is told late because this process stood still is not told late. */
    private static void watchStalls(Journal journal) {
        Thread thread = new Thread(
                () -> {
                    while (true) {
                        long before = System.nanoTime();
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                        long after = System.nanoTime();
                        if (after - before > STALL_NANOS) {
                            journal.add("STALL", before, after);
                        }
                    }
                },
                "faults stalls");
        thread.setDaemon(true);
        thread.start();
    }
}
