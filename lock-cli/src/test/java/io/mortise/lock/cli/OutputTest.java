// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that cannot be written is not taken for one that was. */
class OutputTest {
    @TempDir
    private Path directory;

    /** In a shell that has the command line as its arguments. */
    private Mortise shell(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(Mortise.commandLine(arguments));
        return Mortise.start(directory, Map.of(), Path.of("/dev/null"), command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls --json --store memory:x",
                "show job --store memory:x",
                "show job --json --store memory:x",
                "revoke job --reason x --store memory:x",
                "--version",
                "--help",
                "run --help"
            })
    @DisplayName("74 and a sentence if standard output is full")
    void full(String line) {
        try (Mortise mortise = shell("exec \"$@\" > /dev/full", line.split(" "))) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(74);
            assertThat(mortise.err())
                    .startsWith("mortise: standard output could not be written: ")
                    .hasLineCount(1);
        }
    }

    @Test
    @DisplayName("a list of locks that does not fit is no success either, and a list of none needs no room")
    void list() {
        try (Mortise holder = Mortise.start(
                directory, "run", "job", "--", "sh", "-c", "echo $$ > main; while :; do sleep 0.05; done")) {
            Processes.number(directory.resolve("main"));
            try (Mortise list = shell("exec \"$@\" > /dev/full", "ls");
                    Mortise none = shell("exec \"$@\" > /dev/full", "ls", "other")) {
                assertThat(list.exitCode()).as(list.err()).isEqualTo(74);
                assertThat(none.exitCode()).as(none.err()).isZero();
            }
            assertThat(holder.isAlive()).isTrue();
        }
    }

    @Test
    @DisplayName("a reader that has gone ends it as a signal would, without a word")
    void readerHasGone() {
        // The reader has gone before mortise starts: it opens the other end of the pipe and lets go.
        String script = "mkfifo pipe; (: < pipe) & exec 3> pipe; wait; \"$@\" >&3; echo $? > status";
        try (Mortise mortise = shell(script, "--help")) {
            assertThat(mortise.exitCode()).isZero();
            assertThat(Processes.number(directory.resolve("status"))).isEqualTo(141);
            assertThat(mortise.err()).isEmpty();
        }
    }
}
