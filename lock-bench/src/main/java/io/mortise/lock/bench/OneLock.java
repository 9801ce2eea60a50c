// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
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
 * How fast one lock changes hands that threads of several processes want all the time. The processes tell when each hold began and
 * ended, by the clock that all processes of a host share; so it is seen, too, whether two held it at once.
 */
final class OneLock {
    static final String PART = "contended";

    private final Store store;
    private final String url;
    private final Duration turn;

    OneLock(Store store, String url, Duration turn) {
        this.store = store;
        this.url = url;
        this.turn = turn;
    }

    /** A hold of a thread. */
    private record Hold(int process, int thread, long from, long to) {}

    Figure measure(String name, int processes, int threads, int round) throws Exception {
        Path directory = Files.createTempDirectory("bench-holds-");
        List<Process> running = new ArrayList<>();
        List<BufferedReader> said = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                Process process = start(
                        name,
                        directory.resolve("holds-" + i),
                        threads,
                        "one-" + Integer.toHexString(name.hashCode()) + "-" + round);
                running.add(process);
                said.add(process.inputReader());
            }
            for (BufferedReader reader : said) {
                expect(reader, OneLockProcess.READY, name);
            }
            for (Process process : running) {
                Writer go = process.outputWriter();
                go.write("go\n");
                go.flush();
            }
            List<Hold> holds = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                expect(said.get(i), OneLockProcess.DONE, name);
                read(directory.resolve("holds-" + i), i, holds);
            }
            return figure(name, processes, threads, round, holds);
        } finally {
            running.forEach(Process::destroyForcibly);
            for (int i = 0; i < processes; i++) {
                running.get(i).waitFor();
                Files.deleteIfExists(directory.resolve("holds-" + i));
            }
            Files.delete(directory);
        }
    }

    private Process start(String name, Path file, int threads, String lock) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneLockProcess.class.getName(),
                        store.name(),
                        url,
                        name,
                        lock,
                        String.valueOf(threads),
                        String.valueOf(turn.toMillis()),
                        file.toString())
                .redirectError(Redirect.INHERIT)
                .start();
    }

    private static void expect(BufferedReader reader, String word, String name) throws IOException {
        String line = reader.readLine();
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

    private Figure figure(String name, int processes, int threads, int round, List<Hold> holds) {
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
                PART,
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
