// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Many threads that want few locks: those of the system, and virtual ones where the JVM has them. */
final class Crowd {
    private static final int THREADS = 10_000;
    private static final int LOCKS = 100;
    private static final int EACH = 3;
    private static final int FIRST_WITH_VIRTUAL = 21;
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String HEAD =
            "| Java | threads | locks a second | of the first | times that one was pinned |\n| --- | --- | --- | --- | --- |\n";

    private Crowd() {}

    /** A table of what ours does with both kinds of threads, in a process of each JVM. */
    static String measure(String url, int rounds) throws Exception {
        StringBuilder table = new StringBuilder(HEAD);
        for (String jvm : Jvms.all()) {
            Process process = Jvms.program(jvm, 1024, Crowd.class, url, String.valueOf(rounds))
                    .redirectError(Redirect.INHERIT)
                    .start();
            table.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            if (process.waitFor() != 0) {
                throw new IOException("the crowd on " + jvm + " ended with " + process.exitValue());
            }
        }
        return table.toString();
    }

    /** Arguments: the address and the number of rounds. Prints the rows of this JVM. */
    public static void main(String... arguments) throws Exception {
        Map<String, ThreadFactory> kinds = new LinkedHashMap<>();
        kinds.put("of the system", Thread::new);
        if (hasVirtual()) {
            kinds.put("virtual", virtual());
        }
        long pinned;
        Map<String, List<Double>> rates;
        Path file = Files.createTempFile("bench-", ".jfr");
        try (Contestant contestant = Store.ours().opener().open(arguments[0]);
                Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO);
            recording.start();
            rates = Turns.take(kinds, Integer.parseInt(arguments[1]), (kind, round) -> rate(contestant, kind));
            recording.stop();
            recording.dump(file);
            pinned = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(PINNED))
                    .count();
        } finally {
            Files.delete(file);
        }
        List<Double> first = rates.values().iterator().next();
        rates.forEach((kind, own) -> System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.0f | %.2f | %d |%n",
                Runtime.version(),
                kind,
                Ratio.median(own),
                Ratio.of(own, first).median(),
                own == first ? 0 : pinned));
    }

    private static double rate(Contestant contestant, ThreadFactory factory) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String lock = "crowd-" + i % LOCKS;
            Thread thread = factory.newThread(() -> {
                try {
                    for (int j = 0; j < EACH; j++) {
                        contestant.acquire(lock).release();
                    }
                } catch (Exception failed) {
                    failure.set(failed);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long took = System.nanoTime() - start;
        if (failure.get() != null) {
            throw failure.get();
        }
        return THREADS * EACH * 1e9 / took;
    }

    private static boolean hasVirtual() {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL;
    }

    /** By reflection: this is compiled for a JVM that has none. */
    private static ThreadFactory virtual() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }
}
