// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where the time of a lock goes: in this process, in the kernel, in the servers; and of this process, in whose code. */
final class Profile {
    private static final Duration SAMPLED_EVERY = Duration.ofMillis(2);

    /** Fewer samples say nothing. */
    private static final int ENOUGH_SAMPLES = 50;

    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String HEAD =
            "| | entrant | µs for a lock | µs of this process | of the kernel for it | of the servers | code of this process |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- |\n";

    /**
     * What is done.
     *
     * @param title as the table has it
     * @param clients how many there are
     * @param threads of each client
     * @param isOneLock whether all want the same lock
     */
    record Work(String title, int clients, int threads, boolean isOneLock) {
        static final List<Work> FREE = List.of(
                new Work("1 thread", 1, 1, false),
                new Work("8 threads", 1, 8, false),
                new Work("64 threads", 1, 64, false));
        static final Work CONTENDED = new Work("one lock, 3 clients, 4 threads each", 3, 4, true);
    }

    /** A turn: from when to when, the time that passed for a lock, and what it took of processors. */
    private record Shown(Instant from, Instant to, double micros, ProcessorTime taken) {}

    private Profile() {}

    /** The rows of a table for some work, the reference first. */
    static String measure(Work work, List<Entrant> entrants, String url, Duration turn, int warmUps, int rounds)
            throws Exception {
        Map<String, List<Contestant>> open = new LinkedHashMap<>();
        for (Entrant entrant : entrants) {
            List<Contestant> clients = new ArrayList<>();
            for (int i = 0; i < work.clients(); i++) {
                clients.add(entrant.opener().open(url));
            }
            open.put(entrant.name(), clients);
        }
        Path file = Files.createTempFile("bench-", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(SAMPLE).withPeriod(SAMPLED_EVERY);
            // Before anything is warm: what begins to be recorded has to be compiled anew.
            recording.start();
            Map<String, List<Shown>> shown =
                    Turns.take(open, warmUps, rounds, (clients, round) -> show(work, clients, turn));
            recording.dump(file);
            StringBuilder rows = new StringBuilder();
            shown.forEach((entrant, own) -> rows.append(row(work.title(), entrant, own, file)));
            return rows.toString();
        } finally {
            Files.delete(file);
            for (List<Contestant> clients : open.values()) {
                for (Contestant client : clients) {
                    client.close();
                }
            }
        }
    }

    static String table(String rows) {
        return HEAD + rows;
    }

    private static Shown show(Work work, List<Contestant> clients, Duration turn) throws Exception {
        List<Callable<Integer>> loops = new ArrayList<>();
        long start = System.nanoTime();
        for (Contestant client : clients) {
            for (int i = 0; i < work.threads(); i++) {
                String own = client.getClass().getSimpleName().toLowerCase(Locale.ROOT) + "-";
                String lock = own + (work.isOneLock() ? "one" : work.threads() + "-" + i);
                loops.add(() -> {
                    int count = 0;
                    for (; System.nanoTime() - start < turn.toNanos(); count++) {
                        client.acquire(lock).release();
                    }
                    return count;
                });
            }
        }
        ExecutorService workers = Executors.newFixedThreadPool(loops.size());
        try {
            Instant from = Instant.now();
            ProcessorTime before = ProcessorTime.now();
            double locks = 0;
            for (Future<Integer> each : workers.invokeAll(loops)) {
                locks += each.get();
            }
            double micros = (System.nanoTime() - start) / 1e3;
            return new Shown(
                    from,
                    Instant.now(),
                    micros / locks,
                    ProcessorTime.now().since(before).dividedBy(locks));
        } finally {
            workers.shutdown();
        }
    }

    private static String row(String title, String entrant, List<Shown> own, Path file) {
        try {
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %.1f | %.1f | %.1f | %s |%n",
                    title,
                    entrant,
                    Ratio.median(own, Shown::micros),
                    Ratio.median(own, shown -> shown.taken().own()),
                    Ratio.median(own, shown -> shown.taken().kernel()),
                    Ratio.median(own, shown -> shown.taken().servers()),
                    shares(own, file));
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    /** Whose code ran when it was looked, the most first. */
    private static String shares(List<Shown> turns, Path file) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals(SAMPLE)
                        && event.getStackTrace() != null
                        && turns.stream()
                                .anyMatch(turn -> event.getStartTime().isAfter(turn.from())
                                        && event.getStartTime().isBefore(turn.to()))) {
                    counts.merge(owner(event.getStackTrace().getFrames()), 1, Integer::sum);
                    all++;
                }
            }
        }
        int samples = all;
        if (samples < ENOUGH_SAMPLES) {
            return "";
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(each -> each.getKey() + " " + Math.round(100.0 * each.getValue() / samples) + " %")
                .collect(Collectors.joining(", "));
    }

    /** Whose code it is, or was called by. */
    private static String owner(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            String name = frame.getMethod().getType().getName();
            if (name.startsWith("io.mortise.lock.bench.")) {
                return "the loop";
            } else if (name.matches("io\\.mortise\\.lock\\.(redis|redlock|jdbc|zookeeper|memcached)\\..*")) {
                return "our backend";
            } else if (name.startsWith("io.mortise.")) {
                return "our engine";
            } else if (!name.matches("(java|jdk|sun)\\..*")) {
                return "the client library";
            }
        }
        return "the JDK";
    }
}
