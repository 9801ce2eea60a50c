// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.FileBackend.Kind;
import io.mortise.lock.tck.SuiteRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks whose mistake shows when processes are frozen or restarted, or have clocks of their own, fail by the rule that says so. */
class WrongProcessesAreCaughtTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "UNTIL_RELEASED, m1_aKilledHoldersLockIsFreed, M1 is broken",
        "EQUAL_TOKENS, m2_aFrozenHoldersLateWritesAreRefused, a guard that knows",
        "TAKES_LEFTOVERS, m4_aRollingRestartLeavesACleanHistory, two holders were inside at once",
        "CLIENTS_CLOCKS, n1_wrongClocksChangeNoLease, a fast clock got what one with a slow clock held",
        "CLIENTS_CLOCKS, n2_aFastClientStealsNothing, N2 is broken"
    })
    void aWrongLockFailsByItsRule(Kind kind, String caughtBy, String because) {
        WrongProcessesTck.store = kind + " " + directory;
        Map<String, String> failures =
                SuiteRun.of(WrongProcessesTck.class, List.of(caughtBy)).failures();

        assertThat(failures).containsOnlyKeys(caughtBy);
        assertThat(failures.get(caughtBy)).contains(because);
    }
}
