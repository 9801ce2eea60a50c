// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.consumer.RecordingStream;

/** Many threads that want few locks: those of the system, and virtual ones where the JVM has them. */
final class Crowd {
    private static final int THREADS = 10_000;
    private static final int LOCKS = 100;
    private static final int EACH = 3;
    private static final int FIRST_WITH_VIRTUAL = 21;
    private static final String HEAD =
            "| threads | locks a second | of the first | times that one was pinned |\n| --- | --- | --- | --- |\n";

    /** A kind of threads, and how often one of them was pinned. */
    private record Kind(ThreadFactory factory, AtomicLong pinned) {}

    private Crowd() {}

    /** A table of what one entrant does with both kinds of threads. */
    static String measure(Entrant entrant, String url, int rounds) throws Exception {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("of the system", new Kind(Thread::new, new AtomicLong()));
        if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL) {
            kinds.put("virtual", new Kind(virtual(), new AtomicLong()));
        }
        Map<String, List<Double>> rates;
        try (Contestant contestant = entrant.opener().open(url)) {
            rates = Turns.take(kinds, rounds, (kind, round) -> rate(contestant, kind.factory, kind.pinned));
        }
        List<Double> first = rates.values().iterator().next();
        StringBuilder table = new StringBuilder(HEAD);
        rates.forEach((kind, own) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.0f | %.2f | %d |%n",
                kind,
                Ratio.median(own),
                Ratio.median(own, first),
                Objects.requireNonNull(kinds.get(kind)).pinned.get())));
        return table.toString();
    }

    private static double rate(Contestant contestant, ThreadFactory factory, AtomicLong pinned) throws Exception {
        try (RecordingStream events = new RecordingStream()) {
            if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL) {
                events.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
                events.onEvent("jdk.VirtualThreadPinned", event -> pinned.incrementAndGet());
                events.startAsync();
            }
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
    }

    /** By reflection: this is compiled for a JVM that has none. */
    private static ThreadFactory virtual() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }
}
