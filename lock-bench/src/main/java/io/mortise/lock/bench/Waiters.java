// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a lock costs its store while threads of several processes wait for it, and while it goes from one to the next until each has
 * had it once: requests, as the store counts them.
 */
final class Waiters {
    private static final int PROCESSES = 4;
    private static final List<Integer> THREADS_EACH = List.of(12, 50);

    /** Until all threads have asked, and have been told to wait. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private static final Duration WATCHED = Duration.ofSeconds(4);

    private static final String HEAD =
            "| waiters | entrant | requests a second while all wait | requests for a hand-over | hand-overs a second | of the reference's |\n"
                    + "| --- | --- | --- | --- | --- | --- |\n";

    /** What one entrant has shown in one round. */
    private record Cost(double waiting, double handOver, double perSecond) {}

    /** An entrant: who holds the lock first, and those who wait for it then. */
    private record Line(Contestant holder, OneLock waiters) {}

    private Waiters() {}

    static Section measure(Store store, List<Entrant> entrants, Store.Servers servers, int rounds) throws Exception {
        StringBuilder table = new StringBuilder(HEAD);
        List<Sample> samples = new ArrayList<>();
        Map<String, Map<String, Ratio>> bars = new LinkedHashMap<>();
        for (int threads : THREADS_EACH) {
            Map<String, Line> open = new LinkedHashMap<>();
            try {
                for (Entrant entrant : entrants) {
                    open.put(
                            entrant.name(),
                            new Line(
                                    entrant.opener().open(servers.url()),
                                    OneLock.start(store, servers.url(), entrant.name(), PROCESSES, threads)));
                }
                int waiters = PROCESSES * threads;
                Map<String, List<Cost>> costs =
                        Turns.take(open, rounds, (line, round) -> cost(line, round, waiters, servers.requests()));
                Sample.of(waiters + " waiters", costs).forEach(samples::add);
                Map<String, Ratio> rates = Ratio.ofAll(costs, Cost::perSecond);
                costs.forEach((entrant, own) -> table.append(String.format(
                        Locale.ROOT,
                        "| %d | %s | %.1f | %.2f | %.0f | %.2f |%n",
                        waiters,
                        entrant,
                        Ratio.median(own, Cost::waiting),
                        Ratio.median(own, Cost::handOver),
                        Ratio.median(own, Cost::perSecond),
                        Objects.requireNonNull(rates.get(entrant)).median())));
                bars.put(
                        waiters + " waiters: requests for a hand-over, of the reference’s (less is better)",
                        Ratio.ofAll(costs, Cost::handOver));
                bars.put(waiters + " waiters: hand-overs a second, of the reference’s (more is better)", rates);
            } finally {
                for (Line line : open.values()) {
                    line.waiters().close();
                    line.holder().close();
                }
            }
        }
        return new Section(table.toString(), samples, bars);
    }

    private static Cost cost(Line line, int round, int waiters, LongSupplier requests) throws Exception {
        String lock = line.waiters().lock(round);
        Contestant.Held held = line.holder().acquire(lock);
        line.waiters().begin(lock, Duration.ZERO);
        TimeUnit.NANOSECONDS.sleep(SETTLED.toNanos());
        long settled = requests.getAsLong();
        TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
        long watched = requests.getAsLong();
        held.release();
        List<OneLock.Hold> holds = line.waiters().end();
        long handedOver = requests.getAsLong();
        holds.sort(Comparator.comparingLong(OneLock.Hold::from));
        long took = holds.get(waiters - 1).from() - holds.get(0).from();
        return new Cost(
                (watched - settled) * 1e9 / WATCHED.toNanos(),
                (handedOver - watched) / (double) waiters,
                (waiters - 1) * 1e9 / took);
    }
}
