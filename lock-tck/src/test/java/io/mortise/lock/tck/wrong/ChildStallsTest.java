// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.SuiteRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stall of a child process is one of the machine: what fails in it is measured again. */
class ChildStallsTest {
    private static final String KILLED = "m1_aKilledHoldersLockIsFreed";

    /** It goes on before the case has failed, while it is asked how it was, and much later. */
    @ParameterizedTest
    @ValueSource(strings = {"0.5", "1", "10"})
    void aCaseOfAStarvedChildIsMeasuredAgain(String seconds, @TempDir Path directory) {
        StarvedProcessTck.store = seconds + " " + directory;

        SuiteRun.of(StarvedProcessTck.class, List.of(KILLED));

        assertThat(directory.resolve("child-2")).as("another performance").exists();
    }
}
