// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.support.DurationText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Workers use the locks of each store while processes and servers are killed, frozen and cut off, data are lost, replicas promoted and
 * permissions withdrawn. A short run on two stores by default; {@code -Dmortise.faults=10m} says how long,
 * {@code -Dmortise.faults.stores=redis,sqlite} on which, {@code -Dmortise.faults.seed} repeats the choice of faults, and
 * {@code -Dmortise.faults.beside} says how many stores run at once.
 */
class FaultsTest {
    private static final String QUICK = "redis,sqlite";

    @Test
    void noStoreBreaksWhatItPromises() throws Exception {
        String wanted = System.getProperty("mortise.faults", "");
        Duration length = DurationText.parse(wanted.isEmpty() ? "8s" : wanted);
        String stores = System.getProperty("mortise.faults.stores", wanted.isEmpty() ? QUICK : "");
        List<String> names = stores.isEmpty() ? List.copyOf(Stores.ALL.keySet()) : List.of(stores.split("[, ]+"));
        assertThat(Stores.ALL.keySet()).as("the stores that there are").containsAll(names);
        int beside = Integer.getInteger("mortise.faults.beside", wanted.isEmpty() ? 2 : 3);
        long seed = Long.getLong("mortise.faults.seed", wanted.isEmpty() ? 1 : System.nanoTime() & 0xffffff);
        Path folder = Path.of("target", "faults");
        System.out.println(names.size() + " stores for " + length + " each, " + beside
                + " at once; the journals are in " + folder.toAbsolutePath() + "\n" + Result.HEADER);
        ExecutorService runs = Executors.newFixedThreadPool(beside);
        try {
            List<Future<List<String>>> results = new ArrayList<>();
            for (String name : names) {
                results.add(runs.submit(() -> run(name, length, seed, folder.resolve(name + "-" + seed))));
            }
            List<String> violations = new ArrayList<>();
            for (Future<List<String>> result : results) {
                violations.addAll(result.get());
            }
            assertThat(violations).as("what must not happen").isEmpty();
        } finally {
            runs.shutdownNow();
        }
    }

    /** What must not have happened; a run that could not be brought to its end is one of these. */
    @SuppressWarnings("CatchingUnchecked")
    private static List<String> run(String name, Duration length, long seed, Path folder) {
        try (StoreRun run =
                new StoreRun(name, Objects.requireNonNull(Stores.ALL.get(name)).get(), seed, folder)) {
            Result result = run.run(length);
            System.out.println(result.row());
            result.leftOut().forEach(reason -> System.out.println("(" + name + ": left out: " + reason + ")"));
            return result.violations().stream()
                    .map(what -> name + ": " + what)
                    .peek(what -> System.out.println("VIOLATION " + what))
                    .toList();
        } catch (Exception failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            System.out.println("VIOLATION " + name + ": " + trace);
            return List.of(name + ": the run failed: " + trace);
        }
    }
}
