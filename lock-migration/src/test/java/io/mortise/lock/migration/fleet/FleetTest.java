// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.MigrationWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Five processes move from one store to another and back while they work, on real servers. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FleetTest {
    private static final int ROUNDS = Integer.getInteger("mortise.fleet.rounds", 1);
    private static final int PROCESSES = 5;
    private static final Duration BOUND = Duration.ofSeconds(4);

    /** Pieces of work that are done in each window, by all together. */
    private static final int WORK = 60;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void aFleetMovesThereAndBack(StorePair pair) throws Exception {
        long begin = System.nanoTime();
        try (StorePair.Opened stores = pair.open(folder);
                Fleet fleet = new Fleet(folder);
                Migration migration = Migration.open(stores.migrating())) {
            fleet.start(PROCESSES, stores.old());
            fleet.awaitWork(WORK);
            migration.start(BOUND, left -> {});
            fleet.roll(stores.migrating());
            for (int round = 0; round < ROUNDS; round++) {
                MigrationWindow window = MigrationWindow.OLD_AND_DUAL;
                while (window != MigrationWindow.NEW) {
                    window = migration.advance(window, left -> {});
                    fleet.awaitWork(WORK);
                }
                while (window != MigrationWindow.OLD) {
                    window = migration.back(window, left -> {});
                    fleet.awaitWork(WORK);
                }
                MigrationWindow again = migration.advance(MigrationWindow.OLD, left -> {});
                assertThat(again).isEqualTo(MigrationWindow.OLD_AND_DUAL);
            }
            fleet.roll(stores.old());
            fleet.awaitWork(WORK);
            int work = fleet.check();
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d rounds, %d pieces of work in %.0f s, %.0f a second%n",
                    pair,
                    ROUNDS,
                    work,
                    seconds,
                    work / seconds);
            assertThat(fleet.said())
                    .filteredOn(line -> !line.contains(" lost=0 "))
                    .isEmpty();
        }
    }
}
