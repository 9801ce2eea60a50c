// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.faults.wrong.Mistake;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run with a wrong lock ends with the violation that names its mistake. */
class WrongLocksAreCaughtTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aWrongLockIsCaught(Mistake mistake) throws Exception {
        try (StoreRun run = new StoreRun(mistake.name(), new WrongScenario(mistake), 1, folder)) {
            Result result = run.run(Duration.ofSeconds(2));

            assertThat(result.violations()).anySatisfy(what -> assertThat(what).contains(mistake.caughtBy()));
        }
    }
}
