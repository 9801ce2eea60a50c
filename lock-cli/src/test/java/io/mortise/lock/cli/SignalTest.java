// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals to mortise reach the command, and the terminal's keys reach it only once. */
class SignalTest {
    @TempDir
    private Path directory;

    private Mortise run(String script) {
        return Mortise.start(directory, "run", "--store", "memory:signals", "job", "--", "sh", "-c", script);
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129", "USR1, 138", "USR2, 140"})
    @DisplayName("a signal reaches the whole process group, and its number shows in the exit status")
    void passedOn(String signal, int expected) {
        String worker = "perl -e '$SIG{INT} = \"DEFAULT\"; print STDERR \"\"; sleep 300'";
        try (Mortise mortise = run(worker + " & echo $! > worker; echo $$ > main; wait; exit 1")) {
            long main = Processes.number(directory.resolve("main"));
            long worker2 = Processes.number(directory.resolve("worker"));
            mortise.signal(signal);
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(expected);
            assertThat(Processes.isAlive(main)).isFalse();
            assertThat(Processes.isAlive(worker2)).isFalse();
        }
    }

    @Test
    @DisplayName("a command that handles a signal decides about its exit status")
    void handled() {
        try (Mortise mortise = run("trap 'exit 5' TERM; echo $$ > main; while :; do sleep 0.05; done")) {
            Processes.number(directory.resolve("main"));
            assertThat(mortise.signal("TERM").exitCode()).isEqualTo(5);
        }
    }

    @Test
    @DisplayName(
            "a signal while mortise waits for the lock ends the wait, the command is never started, and no guard stays")
    void whileWaiting() {
        String[] line = {"run", "job", "--", "sh", "-c", "echo $$ > \"$0\"; sleep 300", "first"};
        try (Mortise holder = Mortise.start(directory, line)) {
            Processes.number(directory.resolve("first"));
            line[6] = "second";
            try (Mortise waiter = Mortise.start(directory, line)) {
                Processes.until(() -> waiter.guard() > 0);
                Processes.signal("TERM", waiter.pid());
                assertThat(waiter.exitCode()).isEqualTo(143);
            }
            assertThat(directory.resolve("second")).doesNotExist();
            try (Mortise killed = Mortise.start(directory, line)) {
                long guard = killed.guard();
                killed.signal("KILL");
                Processes.untilGone(guard);
            }
            holder.signal("TERM").exitCode();
        }
    }

    @Test
    @DisplayName("on a terminal, the interrupt key reaches the command once, and it can read the terminal")
    void terminal() {
        // script(1) makes a terminal, and types what it reads: a line and, when asked for, the interrupt key.
        String command = "trap 'echo INT >> ints' INT; read line < /dev/tty; echo \"$line\" > line;"
                + " while [ ! -s ints ]; do sleep 0.05; done; sleep 0.3; exit 6";
        StringBuilder quoted = new StringBuilder();
        for (String word : Mortise.commandLine("run", "--store", "memory:tty", "job", "--", "sh", "-c", command)) {
            quoted.append(" '").append(word.replace("'", "'\\''")).append("'");
        }
        String typist = "(printf 'hello\\n'; while [ ! -s line ]; do sleep 0.05; done; printf '\\003';"
                + " while [ ! -s ints ]; do sleep 0.05; done) | script -qec \"$1\" /dev/null; echo $? > over";
        try (Mortise script = Mortise.start(
                directory,
                Map.of("SHELL", "/bin/sh"),
                Path.of("/dev/null"),
                List.of("sh", "-c", typist, "sh", "exec" + quoted))) {
            assertThat(Processes.number(directory.resolve("over")))
                    .as(script.out())
                    .isEqualTo(6);
            assertThat(Processes.read(directory.resolve("line"))).isEqualTo("hello\n");
            assertThat(Processes.read(directory.resolve("ints"))).isEqualTo("INT\n");
        }
    }
}
