// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** How fast locks are acquired and released that nobody else wants: each thread has one of its own. */
final class FreeLocks {
    private static final int MOST_TIMES = 1_000_000;

    private final Store store;
    private final Duration turn;

    /**
     * What is to be measured.
     *
     * @param name of the entrant
     * @param contestant the entrant
     * @param threads how many acquire locks at the same time
     */
    record Way(String name, Contestant contestant, int threads) {}

    FreeLocks(Store store, Duration turn) {
        this.store = store;
        this.turn = turn;
    }

    Figure measure(Way way, int round) throws Exception {
        int threads = way.threads();
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            long end = System.nanoTime() + turn.toNanos();
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String lock = "free-" + Integer.toHexString(way.name().hashCode()) + "-" + threads + "-" + i;
                running.add(workers.submit(() -> repeat(way.contestant(), lock, end)));
            }
            List<long[]> times = new ArrayList<>();
            for (Future<long[]> each : running) {
                times.add(each.get());
            }
            long[] all = times.stream().flatMapToLong(LongStream::of).sorted().toArray();
            int most = times.stream().mapToInt(each -> each.length).max().orElse(0);
            int least = times.stream().mapToInt(each -> each.length).min().orElse(0);
            return new Figure(
                    Part.FREE,
                    store,
                    threads == 1 ? "1 thread" : threads + " threads",
                    way.name(),
                    round,
                    all.length * 1e9 / turn.toNanos(),
                    Figure.percentile(all, 0.5),
                    Figure.percentile(all, 0.99),
                    Figure.unevenness(most, least));
        } finally {
            workers.shutdown();
        }
    }

    /** How long each took. */
    private static long[] repeat(Contestant contestant, String lock, long end) throws Exception {
        long[] times = new long[1024];
        int count = 0;
        for (long now = System.nanoTime(); now - end < 0 && count < MOST_TIMES; count++) {
            contestant.acquire(lock).release();
            long later = System.nanoTime();
            if (count == times.length) {
                times = Arrays.copyOf(times, count * 2);
            }
            times[count] = later - now;
            now = later;
        }
        return Arrays.copyOf(times, count);
    }
}
