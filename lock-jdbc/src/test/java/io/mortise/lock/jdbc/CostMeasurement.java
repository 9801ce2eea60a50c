// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;

import io.mortise.lock.spi.Claim;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What acquire and release cost together, for the documentation. Not part of the tests:
 * {@code mvn -pl lock-jdbc -am test -Dtest=CostMeasurement}.
 */
class CostMeasurement {
    private static final int CYCLES = 20_000;

    @TempDir
    Path folder;

    @Test
    void measure() throws Exception {
        alone("SQLite", "jdbc:sqlite:" + folder.resolve("alone.db"));
        alone("H2 in memory", "jdbc:h2:mem:cost");
        alone("H2 file", "jdbc:h2:file:" + folder.resolve("alone"));
        String shared = "jdbc:sqlite:" + folder.resolve("shared.db");
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CostMeasurement.class.getName(),
                        shared)
                .inheritIO()
                .start();
        try {
            alone("SQLite, another process doing the same", shared);
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private static void alone(String what, String url) {
        try (Client client = Client.open(url)) {
            cycles(client, "warm-up/" + ProcessHandle.current().pid(), CYCLES);
            long[] nanos = cycles(client, "measured", CYCLES);
            Arrays.sort(nanos);
            System.out.printf(
                    "%s: acquire + release mean %.0f us, median %.0f us, 99%% %.0f us, worst %.1f ms%n",
                    what,
                    Arrays.stream(nanos).average().orElseThrow() / 1e3,
                    nanos[CYCLES / 2] / 1e3,
                    nanos[CYCLES * 99 / 100] / 1e3,
                    nanos[CYCLES - 1] / 1e6);
        }
    }

    private static long[] cycles(Client client, String lock, int count) {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            Claim claim = client.held(lock);
            claim.release(ENOUGH);
            nanos[i] = System.nanoTime() - start;
        }
        return nanos;
    }

    /** The other process: works until it is killed. */
    public static void main(String[] arguments) {
        try (Client client = Client.open(arguments[0])) {
            while (true) {
                cycles(client, "other", CYCLES);
            }
        }
    }
}
