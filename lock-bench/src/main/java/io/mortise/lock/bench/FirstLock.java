// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** How long it takes until a process that has just been started has acquired and released its first lock. */
final class FirstLock {
    private static final String HEAD = "| entrant | ms | of the reference's |\n| --- | --- | --- |\n";

    /** Until one process has said that it has released its lock. */
    private record Time(double millis) {}

    private FirstLock() {}

    static Section measure(Store store, List<Entrant> entrants, String url, int rounds) throws Exception {
        Map<String, List<Time>> times =
                Turns.take(Entrant.byName(entrants), rounds, (entrant, round) -> run(store, entrant.name(), url));
        Map<String, Ratio> ratios = Ratio.ofAll(times, Time::millis);
        StringBuilder table = new StringBuilder(HEAD);
        times.forEach((entrant, own) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.0f | %.2f |%n",
                entrant,
                Ratio.median(own, Time::millis),
                Objects.requireNonNull(ratios.get(entrant)).median())));
        return new Section(
                table.toString(),
                Sample.of("first lock", times).toList(),
                Map.of("time, of the reference’s (less is better)", ratios));
    }

    private static Time run(Store store, String entrant, String url) throws IOException, InterruptedException {
        Process process = Jvms.program(Jvms.own(), 256, FirstLock.class, store.name(), entrant, url)
                .redirectError(Redirect.DISCARD)
                .start();
        long started = System.nanoTime();
        // Ends with the line that says so: some clients take their time to close.
        String said = process.inputReader().readLine();
        double millis = (System.nanoTime() - started) / 1e6;
        process.destroyForcibly().waitFor();
        if (!"released".equals(said)) {
            throw new IllegalStateException(entrant + " on " + store + " said " + said);
        }
        return new Time(millis);
    }

    /** Arguments: the store, the entrant, the address. */
    public static void main(String... arguments) throws Exception {
        try (Contestant contestant = Store.valueOf(arguments[0]).open(arguments[1], arguments[2])) {
            // The entrants keep different things under a name.
            contestant
                    .acquire("first-" + Integer.toHexString(arguments[1].hashCode()))
                    .release();
            System.out.println("released");
        }
    }
}
