// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import io.mortise.lock.bench.contestant.RedisCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** How fast writers raise one number in Redis, with a lock and without. */
final class Counter {
    private static final List<Integer> WRITERS = List.of(1, 8, 64);
    private static final String HEAD =
            "| writers | how | writes a second | of the first | tries for a write |\n| --- | --- | --- | --- | --- |\n";

    /** What one way has shown in one round. */
    private record Shown(double perSecond, double tries) {}

    private Counter() {}

    static String measure(String url, Duration turn, int rounds) throws Exception {
        StringBuilder table = new StringBuilder(HEAD);
        try (RedisCounters counters = new RedisCounters(url);
                Contestant locks = Store.ours().opener().open(url)) {
            Map<String, RedisCounters.Way> ways = new LinkedHashMap<>();
            ways.put("WATCH, MULTI, EXEC", counters::watched);
            ways.put("a lock, GET, SET", key -> counters.locked(locks, key));
            for (int writers : WRITERS) {
                AtomicInteger turns = new AtomicInteger();
                Map<String, List<Shown>> shown = Turns.take(ways, rounds, (way, round) -> {
                    String key = "number-" + writers + "-" + turns.incrementAndGet();
                    return turn(counters, way, key, writers, turn);
                });
                tell(table, writers, shown);
            }
        }
        return table.toString();
    }

    private static void tell(StringBuilder table, int writers, Map<String, List<Shown>> shown) {
        Map<String, Ratio> rates = Ratio.ofAll(shown, Shown::perSecond);
        shown.forEach((way, own) -> table.append(String.format(
                Locale.ROOT,
                "| %d | %s | %.0f | %.2f | %.1f |%n",
                writers,
                way,
                Ratio.median(own, Shown::perSecond),
                Objects.requireNonNull(rates.get(way)).median(),
                Ratio.median(own, Shown::tries))));
    }

    private static Shown turn(RedisCounters counters, RedisCounters.Way way, String key, int writers, Duration turn)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            long end = System.nanoTime() + turn.toNanos();
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                running.add(threads.submit(() -> {
                    long[] writesAndTries = new long[2];
                    while (System.nanoTime() - end < 0) {
                        writesAndTries[1] += way.raise(key);
                        writesAndTries[0]++;
                    }
                    return writesAndTries;
                }));
            }
            long writes = 0;
            long tries = 0;
            for (Future<long[]> each : running) {
                writes += each.get()[0];
                tries += each.get()[1];
            }
            if (counters.read(key) != writes) {
                throw new IllegalStateException(writes + " writes have made the number " + counters.read(key));
            }
            return new Shown(writes * 1e9 / turn.toNanos(), tries / (double) Math.max(1, writes));
        } finally {
            threads.shutdown();
        }
    }
}
