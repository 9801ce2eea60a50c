// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mortise run} says beside errors, and what the command learns of its lock. */
class VerbosityTest {
    @TempDir
    private Path directory;

    private Mortise start(String... arguments) {
        return Mortise.start(directory, arguments);
    }

    @Test
    @DisplayName(
            "'held by others' says who holds the lock, for how long, and when the lease ends; --quiet does not say it")
    void heldByOthers() {
        try (Mortise holder = start("run", "job", "--", "sh", "-c", "echo $$ > main; while :; do sleep 0.05; done")) {
            Processes.number(directory.resolve("main"));
            try (Mortise second = start("run", "--no-wait", "job", "--", "true");
                    Mortise third = start("run", "--wait", "100ms", "job", "--", "true");
                    Mortise quiet = start("run", "--quiet", "--no-wait", "job", "--", "true")) {
                assertThat(second.exitCode()).isEqualTo(75);
                assertThat(second.err())
                        .matches("mortise: lock 'job' is held by others: .+@.+/" + holder.pid()
                                + " for [0-9.ms]+, lease ends in [0-9.]+s, token [0-9]+\n");
                assertThat(third.exitCode()).isEqualTo(75);
                assertThat(third.err())
                        .startsWith("mortise: lock 'job' is held by others: ")
                        .endsWith("; gave up waiting\n");
                assertThat(quiet.exitCode()).isEqualTo(75);
                assertThat(quiet.err()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("--verbose says when the lock was acquired, its token, and how long the command ran")
    void verbose() {
        try (Mortise mortise = start(
                "run", "--verbose", "job", "--", "sh", "-c", "echo $MORTISE_FENCING_TOKEN; echo $MORTISE_HOLDER")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            String[] told = mortise.out().split("\n");
            assertThat(told[1]).endsWith("/" + mortise.pid());
            assertThat(mortise.err())
                    .matches("mortise: acquired lock 'job' after [0-9.]+s, token " + told[0]
                            + "\nmortise: released lock 'job'; the command ran for [0-9.]+s\n");
        }
    }
}
