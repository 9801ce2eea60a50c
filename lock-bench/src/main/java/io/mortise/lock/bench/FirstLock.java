// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How long it takes until a process that has just been started has acquired and released its first lock. */
final class FirstLock {
    private static final String HEAD = "| entrant | ms | of the reference's |\n| --- | --- | --- |\n";

    private FirstLock() {}

    /** A table, the reference first. */
    static String measure(Store store, List<Entrant> entrants, String url, int rounds) throws Exception {
        Map<String, List<Double>> millis =
                Turns.take(Entrant.byName(entrants), rounds, (entrant, round) -> run(store, entrant.name(), url));
        List<Double> reference = millis.values().iterator().next();
        StringBuilder table = new StringBuilder(HEAD);
        millis.forEach((entrant, own) -> table.append(String.format(
                Locale.ROOT, "| %s | %.0f | %.2f |%n", entrant, Ratio.median(own), Ratio.median(own, reference))));
        return table.toString();
    }

    private static double run(Store store, String entrant, String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstLock.class.getName(),
                        store.name(),
                        entrant,
                        url)
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
        return millis;
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
