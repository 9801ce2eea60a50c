// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What it costs a process to hold many locks for longer than a lease: each is renewed meanwhile. Each turn is a process, as an
 * application has one library and not several, whose calls the JVM compiles for all of them.
 */
final class ManyLeases {
    private static final int LEASES = 10_000;

    /** Three renewals of a lease of 30 seconds. */
    private static final long WATCHED_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** One renewal of all, until most of its code is compiled. */
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final String HEAD =
            "| entrant | ms of processor time a second | of the reference's | bytes for a lock | threads |\n| --- | --- | --- | --- | --- |\n";

    /** What one entrant has shown in one round. */
    private record Cost(double cpuMillis, double bytes, int threads) {}

    private ManyLeases() {}

    static Section measure(Store store, String url, int rounds) throws Exception {
        Map<String, List<Cost>> costs = Turns.take(
                Entrant.byName(store.renewing()),
                0,
                rounds,
                (entrant, round) -> cost(store, entrant.name(), url, round));
        Map<String, Ratio> cpu = Ratio.ofAll(costs, Cost::cpuMillis);
        StringBuilder table = new StringBuilder(HEAD);
        costs.forEach((entrant, own) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.2f | %.0f | %.0f |%n",
                entrant,
                Ratio.median(own, Cost::cpuMillis),
                Objects.requireNonNull(cpu.get(entrant)).median(),
                Ratio.median(own, Cost::bytes),
                Ratio.median(own, Cost::threads))));
        return new Section(
                table.toString(),
                Sample.of(LEASES + " locks", costs).toList(),
                Map.of("processor time for 10,000 locks, of the reference’s (less is better)", cpu));
    }

    private static Cost cost(Store store, String entrant, String url, int round) throws Exception {
        Process process = Jvms.program(
                        Jvms.own(),
                        1024,
                        ManyLeases.class,
                        store.name(),
                        entrant,
                        url,
                        "held-" + Integer.toHexString(entrant.hashCode()) + "-" + round + "-")
                .redirectError(Redirect.DISCARD)
                .start();
        String said = process.inputReader().readLine();
        process.destroyForcibly().waitFor();
        if (said == null) {
            throw new IOException("a process of " + entrant + " on " + store.title() + " has said nothing");
        }
        String[] values = said.split(" ");
        return new Cost(Double.parseDouble(values[0]), Double.parseDouble(values[1]), Integer.parseInt(values[2]));
    }

    /** Arguments: the store, the entrant, the address, and how the locks are called. Prints what they cost. */
    public static void main(String... arguments) throws Exception {
        Entrant entrant = Objects.requireNonNull(
                Entrant.byName(Store.valueOf(arguments[0]).renewing()).get(arguments[1]));
        int threads = Thread.getAllStackTraces().size();
        Contestant contestant = entrant.opener().open(arguments[2]);
        contestant.acquire(arguments[3] + "first");
        long empty = heap();
        List<Contestant.Held> held = new ArrayList<>(LEASES);
        for (int i = 0; i < LEASES; i++) {
            held.add(contestant.acquire(arguments[3] + i));
        }
        double bytes = (heap() - empty) / (double) LEASES;
        TimeUnit.NANOSECONDS.sleep(WARM_UP_NANOS);
        ProcessorTime before = ProcessorTime.now();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(WATCHED_NANOS);
        double seconds = (System.nanoTime() - start) / 1e9;
        ProcessorTime taken = ProcessorTime.now().since(before);
        double millis = (taken.own() + taken.kernel()) / 1e3 / seconds;
        System.out.println(
                millis + " " + bytes + " " + (Thread.getAllStackTraces().size() - threads));
        Reference.reachabilityFence(held);
        // However slow an entrant closes, it has been measured; what it held ends by itself.
        Runtime.getRuntime().halt(0);
    }

    private static long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
