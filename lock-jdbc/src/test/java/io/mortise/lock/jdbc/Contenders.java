// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Another JVM whose threads get one lock again and again, and note when they had it: by the clock of the machine, which all JVMs on it
 * share.
 */
final class Contenders implements AutoCloseable {
    /** When one thread had the lock, by {@link System#nanoTime}. */
    record Hold(long from, long until) {}

    /** The name of the lock. */
    static final String LOCK = "hot";

    private static final String READY = "ready";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Process process;
    private final BufferedReader answers;

    private Contenders(Process process) {
        this.process = process;
        answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Starts a JVM.
     *
     * @param clients how many clients it has; none: its threads have connections of their own and use advisory locks of PostgreSQL
     * @param threads how many threads each client has
     * @param local whether a client may hand the lock over from one of its threads to another
     * @param hold for how long a thread keeps the lock
     */
    static Contenders start(String url, int clients, int threads, boolean local, Duration hold) {
        try {
            return new Contenders(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Contenders.class.getName(),
                            url,
                            String.valueOf(clients),
                            String.valueOf(threads),
                            String.valueOf(local),
                            String.valueOf(hold.toNanos()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException noChild) {
            throw new UncheckedIOException(noChild);
        }
    }

    /** Waits until all have connected. */
    void awaitReady() throws IOException {
        if (!READY.equals(answers.readLine())) {
            throw new IOException("a contender has not connected");
        }
    }

    /** Lets the threads begin. Those that wait at the end have the lock once more. */
    void begin(long end) throws IOException {
        process.outputWriter().append(String.valueOf(end)).append('\n').flush();
    }

    /** Waits for the end. */
    List<Hold> holds() throws IOException {
        List<Hold> holds = new ArrayList<>();
        for (String line = answers.readLine(); !READY.equals(line); line = answers.readLine()) {
            if (line == null) {
                throw new IOException("a contender has failed");
            }
            String[] times = line.split(" ");
            holds.add(new Hold(Long.parseLong(times[0]), Long.parseLong(times[1])));
        }
        return holds;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Has the lock once. */
    private interface Turn {
        Hold take() throws Exception;
    }

    /** The other JVM. */
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int clients = Integer.parseInt(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        LockOptions options = LockOptions.defaults().withLease(LEASE);
        if (!Boolean.parseBoolean(arguments[3])) {
            options = options.withLocalHandOvers(0);
        }
        long hold = Long.parseLong(arguments[4]);
        List<Turn> turns = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            LockClient locks = LockClient.builder(url).options(options).build();
            Stream.generate(() -> ofMortise(locks, hold)).limit(threads).forEach(turns::add);
        }
        for (int thread = 0; clients == 0 && thread < threads; thread++) {
            turns.add(ofAdvisoryLock(DriverManager.getConnection(url), hold));
        }
        System.out.println(READY);
        long end = Long.parseLong(
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine());
        Queue<Hold> holds = new ConcurrentLinkedQueue<>();
        List<Thread> running = turns.stream()
                .map(turn -> new Thread(() -> takeTurns(turn, end, holds)))
                .toList();
        running.forEach(Thread::start);
        for (Thread each : running) {
            each.join();
        }
        holds.forEach(each -> System.out.println(each.from + " " + each.until));
        System.out.println(READY);
        Thread.currentThread().join(); // until it is killed: closing says nothing of the locks
    }

    private static void takeTurns(Turn turn, long end, Queue<Hold> holds) {
        try {
            while (System.nanoTime() - end < 0) {
                holds.add(turn.take());
            }
        } catch (Exception failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static Turn ofMortise(LockClient locks, long hold) {
        return () -> {
            Lease lease = locks.lock(LOCK).acquire();
            Hold held = hold(hold);
            lease.release();
            return held;
        };
    }

    private static Turn ofAdvisoryLock(Connection connection, long hold) throws SQLException {
        PreparedStatement lock = connection.prepareStatement("select pg_advisory_lock(1)");
        PreparedStatement unlock = connection.prepareStatement("select pg_advisory_unlock(1)");
        return () -> {
            lock.execute();
            Hold held = hold(hold);
            unlock.execute();
            return held;
        };
    }

    private static Hold hold(long nanos) throws InterruptedException {
        long from = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(nanos);
        return new Hold(from, System.nanoTime());
    }
}
