// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What it costs a process to hold many locks for longer than a lease: each is renewed meanwhile. */
final class ManyLeases {
    private static final int LEASES = 10_000;

    /** Three renewals of a lease of 30 seconds. */
    private static final long WATCHED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String HEAD =
            "| entrant | ms of processor time a second | of the reference's | bytes for a lock | threads |\n| --- | --- | --- | --- | --- |\n";

    /** What one entrant has shown in one round. */
    private record Cost(double cpuMillis, double bytes, int threads) {}

    private ManyLeases() {}

    /** A table, the reference first. */
    static String measure(List<Entrant> entrants, String url, int rounds) throws Exception {
        Map<String, List<Cost>> costs =
                Turns.take(Entrant.byName(entrants), rounds, (entrant, round) -> cost(entrant, url, round));
        List<Double> reference = cpu(costs.values().iterator().next());
        StringBuilder table = new StringBuilder(HEAD);
        costs.forEach((entrant, own) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.2f | %.0f | %.0f |%n",
                entrant,
                Ratio.median(cpu(own)),
                Ratio.median(cpu(own), reference),
                median(own, Cost::bytes),
                median(own, Cost::threads))));
        return table.toString();
    }

    private static List<Double> cpu(List<Cost> costs) {
        return costs.stream().map(Cost::cpuMillis).toList();
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> value) {
        return Ratio.median(costs.stream().map(value::applyAsDouble).toList());
    }

    private static Cost cost(Entrant entrant, String url, int round) throws Exception {
        int threads = Thread.getAllStackTraces().size();
        try (Contestant contestant = entrant.opener().open(url)) {
            String prefix = "held-" + Integer.toHexString(entrant.name().hashCode()) + "-" + round + "-";
            contestant.acquire(prefix + "first");
            long empty = heap();
            List<Contestant.Held> held = new ArrayList<>(LEASES);
            for (int i = 0; i < LEASES; i++) {
                held.add(contestant.acquire(prefix + i));
            }
            double bytes = (heap() - empty) / (double) LEASES;
            ProcessorTime before = ProcessorTime.now();
            long start = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(WATCHED_NANOS);
            double seconds = (System.nanoTime() - start) / 1e9;
            ProcessorTime taken = ProcessorTime.now().since(before);
            double millis = (taken.own() + taken.kernel()) / 1e3 / seconds;
            int more = Thread.getAllStackTraces().size() - threads;
            for (Contestant.Held each : held) {
                each.release();
            }
            return new Cost(millis, bytes, more);
        }
    }

    private static long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
