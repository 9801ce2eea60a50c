// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

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

        assertThat(SuiteRun.of(StarvedProcessTck.class, List.of(KILLED))
                        .failures()
                        .values())
                .as("a second failure at most: the machine may stand still for that long, too")
                .allMatch(failure -> failure.contains("performed once more"));
        assertThat(directory.resolve("stood-still"))
                .as("that the first child stood still")
                .exists();
    }
}
