// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.MigrationException;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.tck.servers.process.JvmClassPath;
import io.mortise.lock.tck.servers.process.TestServer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Five processes move from one store to another and back while they work, on real servers. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FleetTest {
    private static final Logger LOG = System.getLogger(FleetTest.class.getName());

    /** How often the fleet moves there and back. */
    private static final int ROUNDS = Integer.getInteger("mortise.fleet.rounds", 1);

    private static final int PROCESSES = 5;
    private static final Duration BOUND = Duration.ofSeconds(4);
    private static final Duration OUTAGE = Duration.ofSeconds(5);

    /** Pieces of work that are done in each window, by all together. */
    private static final int WORK = Integer.getInteger("mortise.fleet.work", 60);

    private final Random random = new Random(Long.getLong("mortise.fleet.seed", System.nanoTime()));

    private final List<Stay> rates = new ArrayList<>();

    @TempDir
    private Path folder;

    /** What goes wrong in each window. */
    private enum Fault {
        NONE,
        /** A process is killed. */
        KILL,
        /** A process is frozen before the step, and goes on after it. */
        FREEZE,
        /** Who makes the step is killed, some times, and begins again. */
        OPERATOR,
        /** In DUAL, each store is away for a while. */
        OUTAGE
    }

    /** All with {@code -Dmortise.fleet.full=true}; else a few, which take minutes already. */
    static Stream<Arguments> pairsAndFaults() {
        if (!Boolean.getBoolean("mortise.fleet.full")) {
            return Stream.of(
                    Arguments.of(StorePair.REDIS_TO_POSTGRES, Fault.NONE),
                    Arguments.of(StorePair.REDIS_TO_POSTGRES, Fault.KILL),
                    Arguments.of(StorePair.REDIS_TO_POSTGRES, Fault.FREEZE));
        }
        return Stream.of(Fault.values())
                .flatMap(fault -> Stream.of(StorePair.values()).map(pair -> Arguments.of(pair, fault)));
    }

    @ParameterizedTest
    @MethodSource("pairsAndFaults")
    void aFleetMovesThereAndBack(StorePair pair, Fault fault) throws Exception {
        move(pair, fault);
    }

    private void move(StorePair pair, Fault fault) throws Exception {
        long begin = System.nanoTime();
        try (StorePair.Opened stores = pair.open(folder);
                Fleet fleet = new Fleet(folder);
                Migration migration = Migration.open(stores.migrating())) {
            // Redlock cannot tell its greatest token; here each lock is acquired in every window.
            migration.tokensMayFall(true);
            fleet.start(PROCESSES, stores.old());
            fleet.awaitWork(WORK);
            rates.add(new Stay(null, System.nanoTime()));
            fleet.awaitWork(WORK);
            migration.start(BOUND, left -> {});
            fleet.roll(stores.migrating());
            rates.add(new Stay(MigrationWindow.OLD_AND_DUAL, System.nanoTime()));
            for (int round = 0; round < ROUNDS; round++) {
                MigrationWindow window = MigrationWindow.OLD_AND_DUAL;
                while (window != MigrationWindow.NEW) {
                    window = step(migration, window, true, stores, fleet, fault);
                }
                while (window != MigrationWindow.OLD) {
                    window = step(migration, window, false, stores, fleet, fault);
                }
                MigrationWindow again = migration.advance(MigrationWindow.OLD, left -> {});
                rates.add(new Stay(again, System.nanoTime()));
                assertThat(again).isEqualTo(MigrationWindow.OLD_AND_DUAL);
            }
            fleet.roll(stores.old());
            fleet.awaitWork(WORK);
            int work = fleet.check();
            double seconds = (System.nanoTime() - begin) / 1e9;
            LOG.log(
                    Level.INFO,
                    () -> String.format(
                            Locale.ROOT,
                            "%s, %s: %d rounds, %d pieces of work in %.0f s, a second: %s; %s",
                            pair,
                            fault,
                            ROUNDS,
                            work,
                            seconds,
                            rates(fleet),
                            fleet.said()));
            if (fault == Fault.NONE) {
                assertThat(fleet.said())
                        .filteredOn(line -> !line.contains(" lost=0 "))
                        .isEmpty();
            }
        }
    }

    /** From when on the fleet was in a window; null before the first one. */
    private record Stay(@Nullable MigrationWindow window, long since) {
        String name() {
            return window == null ? "before" : window.name();
        }
    }

    /** How much work was done in each window, in the words of the log. */
    private String rates(Fleet fleet) {
        Map<String, double[]> sums = new LinkedHashMap<>();
        for (int i = 0; i + 1 < rates.size(); i++) {
            long since = rates.get(i).since;
            long until = rates.get(i + 1).since;
            double[] sum = sums.computeIfAbsent(rates.get(i).name(), window -> new double[2]);
            sum[0] += fleet.workBetween(since, until);
            sum[1] += (until - since) / 1e9;
        }
        return sums.entrySet().stream()
                .map(each ->
                        String.format(Locale.ROOT, "%s %.0f", each.getKey(), each.getValue()[0] / each.getValue()[1]))
                .collect(Collectors.joining(", "));
    }

    private MigrationWindow step(
            Migration migration, MigrationWindow from, boolean forth, StorePair.Opened stores, Fleet fleet, Fault fault)
            throws Exception {
        int victim = random.nextInt(PROCESSES);
        switch (fault) {
            case KILL -> fleet.kill(victim, stores.migrating());
            case FREEZE -> fleet.freeze(victim);
            case OPERATOR -> killedOperators(from, forth, stores.migrating());
            case OUTAGE -> {
                if (from == MigrationWindow.DUAL) {
                    for (TestServer server : stores.servers()) {
                        server.pause();
                        Thread.sleep(OUTAGE.toMillis());
                        server.resume();
                    }
                }
            }
            case NONE -> {}
        }
        MigrationWindow now = migration.status().orElseThrow().window();
        while (now == from) {
            now = made(migration, from, forth);
        }
        rates.add(new Stay(now, System.nanoTime()));
        fleet.awaitWork(WORK);
        if (fault == Fault.FREEZE) {
            fleet.thaw(victim);
            fleet.awaitWork(WORK);
        }
        return now;
    }

    /** What a dead process has left keeps the window where it is, until its lease has ended. */
    private static MigrationWindow made(Migration migration, MigrationWindow from, boolean forth) {
        try {
            return forth ? migration.advance(from, left -> {}) : migration.back(from, left -> {});
        } catch (MigrationException refused) {
            assertThat(refused).hasMessageContaining(" store alone");
            return from;
        }
    }

    /** Each is killed at another moment; one of them may have made the step. */
    private void killedOperators(MigrationWindow from, boolean forth, String url) throws Exception {
        for (int i = 0; i < 2; i++) {
            Process operator = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            JvmClassPath.own().toString(),
                            FleetOperator.class.getName(),
                            url,
                            from.name(),
                            forth ? "advance" : "back")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean unused = operator.waitFor(random.nextInt(5000), TimeUnit.MILLISECONDS);
            operator.destroyForcibly();
            await().until(() -> !operator.isAlive());
        }
    }
}
