// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast one lock changes hands that threads of several processes want all the time. The processes stay from turn to turn, so that
 * their code is compiled and their connections are made. They tell when each hold began and ended, by the clock that all processes of
 * a host share; so it is seen, too, whether two held it at once.
 */
final class OneLock implements AutoCloseable {
    private final Store store;
    private final String name;
    private final int threads;
    private final Path directory;
    private final List<Process> running = new ArrayList<>();

    private OneLock(Store store, String name, int threads) throws IOException {
        this.store = store;
        this.name = name;
        this.threads = threads;
        directory = Files.createTempDirectory("bench-holds-");
    }

    /** A hold of a thread. */
    record Hold(int process, int thread, long from, long to) {}

    /** Processes of an entrant that wait for their turn. */
    static OneLock start(Store store, String url, String name, int processes, int threads) throws IOException {
        OneLock lock = new OneLock(store, name, threads);
        for (int i = 0; i < processes; i++) {
            lock.running.add(Jvms.program(
                            Jvms.own(), 256, OneLockProcess.class, store.name(), url, name, String.valueOf(threads))
                    .redirectError(Redirect.INHERIT)
                    .start());
        }
        for (Process process : lock.running) {
            lock.expect(process, OneLockProcess.READY);
        }
        return lock;
    }

    Figure measure(int round, Duration turn) throws IOException {
        begin(lock(round), turn);
        return figure(round, turn, end());
    }

    /** A lock that no other entrant and no other round has. */
    String lock(int round) {
        return "one-" + Integer.toHexString(name.hashCode()) + "-" + round;
    }

    /** All threads begin to want a lock, again and again for so long, and once at least. */
    void begin(String lock, Duration turn) throws IOException {
        for (int i = 0; i < running.size(); i++) {
            Writer go = running.get(i).outputWriter();
            go.write(String.join(OneLockProcess.SEPARATOR, lock, String.valueOf(turn.toMillis()), holds(i).toString()));
            go.write("\n");
            go.flush();
        }
    }

    /** Waits until no thread wants the lock any more; answers what they held. */
    List<Hold> end() throws IOException {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            expect(running.get(i), OneLockProcess.DONE);
            read(holds(i), i, holds);
        }
        return holds;
    }

    private Path holds(int process) {
        return directory.resolve("holds-" + process);
    }

    @Override
    public void close() throws Exception {
        for (int i = 0; i < running.size(); i++) {
            running.get(i).destroyForcibly().waitFor();
            Files.deleteIfExists(holds(i));
        }
        Files.delete(directory);
    }

    private void expect(Process process, String word) throws IOException {
        String line = process.inputReader().readLine();
        if (!word.equals(line)) {
            throw new IOException("a process of " + name + " should have said " + word + ", not " + line);
        }
    }

    private static void read(Path file, int process, List<Hold> holds) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            int threads = in.readInt();
            for (int thread = 0; thread < threads; thread++) {
                int count = in.readInt();
                for (int i = 0; i < count; i++) {
                    holds.add(new Hold(process, thread, in.readLong(), in.readLong()));
                }
            }
        }
    }

    private Figure figure(int round, Duration turn, List<Hold> holds) {
        int processes = running.size();
        holds.sort(Comparator.comparingLong(Hold::from));
        long[] gaps = new long[Math.max(0, holds.size() - 1)];
        int overlaps = 0;
        Map<Integer, Integer> of = new HashMap<>();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            of.merge(hold.process() * threads + hold.thread(), 1, Integer::sum);
            if (i > 0) {
                long gap = hold.from() - holds.get(i - 1).to();
                overlaps += gap < 0 ? 1 : 0;
                gaps[i - 1] = gap;
            }
        }
        if (overlaps > 0) {
            System.err.println(name + " on " + store.title() + ": two held the lock at once, " + overlaps + " times");
        }
        Arrays.sort(gaps);
        int most = of.values().stream().max(Integer::compare).orElse(0);
        int least = of.size() < processes * threads
                ? 0
                : of.values().stream().min(Integer::compare).orElse(0);
        return new Figure(
                Part.CONTENDED,
                store,
                processes + " processes, " + threads + " threads each",
                name,
                round,
                holds.size() * 1e9 / turn.toNanos(),
                Figure.percentile(gaps, 0.5),
                Figure.percentile(gaps, 0.99),
                Figure.unevenness(most, least));
    }
}
