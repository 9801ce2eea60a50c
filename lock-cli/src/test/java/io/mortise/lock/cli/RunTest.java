// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command gets from {@code mortise run}, and what mortise says when it has ended. */
class RunTest {
    @TempDir
    private Path directory;

    private Mortise run(String... command) {
        return Mortise.start(
                directory,
                Stream.concat(Stream.of("run", "--store", "memory:run", "job", "--"), Stream.of(command))
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 0|0",
                "exit 7|7",
                "exit 255|255",
                "kill -KILL $$|137",
                "kill -TERM $$|143",
                "kill -QUIT $$|131"
            })
    @DisplayName("the exit status is the command's")
    void exitStatus(String script, int expected) {
        try (Mortise mortise = run("sh", "-c", script)) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("127 for a command that is not there, 126 for one that cannot be executed")
    void cannotRun() throws IOException {
        try (Mortise missing = run("mortise-no-such-command");
                Mortise data = run(Files.createFile(directory.resolve("data")).toString())) {
            assertThat(missing.exitCode()).isEqualTo(127);
            assertThat(missing.err()).contains("not found");
            assertThat(data.exitCode()).isEqualTo(126);
            assertThat(data.err()).contains("cannot be executed");
        }
    }

    @Test
    @DisplayName("an argument or a name that begins with @ is not read from a file")
    void atSigns() throws IOException {
        String file = "@" + Files.writeString(directory.resolve("words"), "other words");
        String script = "printf '[%s]' \"$MORTISE_LOCK\" \"$@\"";
        try (Mortise mortise = Mortise.start(
                directory, "run", "--store", "memory:run", file, "--", "sh", "-c", script, "sh", file, "@@b")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            assertThat(mortise.out()).isEqualTo("[" + file + "][" + file + "][@@b]");
        }
    }

    @Test
    @DisplayName("empty arguments at the end reach the command, and an empty command is not found")
    void emptyArguments() {
        try (Mortise printing = run("printf", "[%s]", "a", "", "b", "", "");
                Mortise nothing = run("")) {
            assertThat(printing.exitCode()).as(printing.err()).isZero();
            assertThat(printing.out()).isEqualTo("[a][][b][][]");
            assertThat(nothing.exitCode()).isEqualTo(127);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --store memory:x job",
                "run --store memory:x --lease soon job -- true",
                "run --store memory:x --lease 0s job -- true",
                "run --store memory:x --wait 1s --no-wait job -- true",
                "run --store memory:x --conflict-exit-code 256 job -- true",
                "run --store nothing:x job -- true",
                "run --store memory:x?mortise.colour=red job -- true",
                "run --store memory:x --store-file y job -- true",
                "frobnicate",
                "''"
            })
    @DisplayName("64 for a command line that is wrong")
    void usage(String line) {
        try (Mortise mortise = Mortise.start(directory, line.isEmpty() ? new String[0] : line.split(" "))) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
            assertThat(mortise.err()).doesNotContain("Exception");
            assertThat(mortise.out()).isEmpty();
        }
    }

    @Test
    @DisplayName("64, in one sentence, for a store file that is a folder, not there, or no text")
    void unreadableStoreFile() throws IOException {
        Path noText = Files.write(directory.resolve("latin1"), new byte[] {'m', (byte) 0xe9, '\n'});
        try (Mortise folder = Mortise.start(directory, "ls", "--store-file", directory.toString());
                Mortise missing = Mortise.start(directory, "ls", "--store-file", "missing");
                Mortise bytes = Mortise.start(directory, "ls", "--store-file", noText.toString())) {
            for (Mortise mortise : List.of(folder, missing, bytes)) {
                assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
                assertThat(mortise.err())
                        .startsWith("mortise: the file of --store-file cannot be read: ")
                        .doesNotContain("Exception")
                        .hasLineCount(1);
            }
            assertThat(folder.err()).endsWith(": Is a directory\n");
            assertThat(missing.err()).endsWith(": there is no such file\n");
            assertThat(bytes.err()).endsWith(": it is not text in UTF-8\n");
        }
    }

    @Test
    @DisplayName("standard input is the command's, and nothing but the command writes to standard output")
    void streams() throws IOException {
        Path input = Files.writeString(directory.resolve("input"), "first\nsecond\n");
        List<String> command = Mortise.commandLine("run", "--store", "memory:run", "job", "--", "cat");
        try (Mortise mortise = Mortise.start(directory, Map.of(), input, command)) {
            assertThat(mortise.exitCode()).isZero();
            assertThat(mortise.out()).isEqualTo("first\nsecond\n");
            assertThat(mortise.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("a reader sees the end of the output when the command closes it, not when mortise ends")
    void pipe() {
        Path done = directory.resolve("done");
        String script = "\"$@\" sh -c 'echo written; exec >&-; while [ ! -e " + done
                + " ]; do sleep 0.05; done' | (cat; touch " + done + ")";
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(Mortise.commandLine("run", "--store", "memory:run", "job", "--"));
        try (Mortise mortise = Mortise.start(directory, Map.of(), Path.of("/dev/null"), command)) {
            assertThat(mortise.exitCode()).isZero();
            assertThat(mortise.out()).isEqualTo("written\n");
        }
    }

    @Test
    @DisplayName("a closed standard stream is refused, not replaced by a file of the JVM")
    void closedStream() {
        for (String redirection : new String[] {"<&-", ">&-"}) {
            List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" " + redirection, "sh"));
            command.addAll(Mortise.commandLine("run", "--store", "memory:run", "job", "--", "true"));
            try (Mortise mortise = Mortise.start(directory, Map.of(), Path.of("/dev/null"), command)) {
                assertThat(mortise.exitCode()).isEqualTo(78);
                assertThat(mortise.err()).contains("/dev/null");
            }
        }
    }

    @Test
    @DisplayName("arguments and the lock's name arrive byte by byte, whatever the locale")
    void bytes() {
        String script = "printf '%s|%s|' \"$MORTISE_LOCK\" \"$1\"; printf %d \"$MORTISE_FENCING_TOKEN\"";
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "exec \"$@\" \"$(printf 'x\\303\\244')\" -- sh -c '" + script.replace("'", "'\\''")
                        + "' sh \"$(printf 'y\\377')\" | od -An -c",
                "sh"));
        command.addAll(Mortise.commandLine("run", "--store", "memory:run"));
        try (Mortise mortise = Mortise.start(directory, Map.of("LC_ALL", "C"), Path.of("/dev/null"), command)) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            assertThat(mortise.out().replaceAll("\\s+", " ")).startsWith(" x 303 244 | y 377 | 1 ");
        }
    }

    @Test
    @DisplayName("nothing of the guard stays behind in the temporary directory or in the command's environment")
    void noResidue() throws IOException {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        List<String> command = Mortise.commandLine(
                "run",
                "--store",
                "memory:run",
                "job",
                "--",
                "sh",
                "-c",
                "ls -A tmp; env | grep PERL; cat /proc/self/status");
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        command.add(1, "-XX:-UsePerfData");
        try (Mortise mortise = Mortise.start(directory, Map.of(), Path.of("/dev/null"), command)) {
            assertThat(mortise.exitCode()).isZero();
            assertThat(mortise.out()
                            .lines()
                            .filter(line -> !line.startsWith("Sig"))
                            .findFirst())
                    .hasValueSatisfying(line -> assertThat(line).startsWith("Name:"));
            assertThat(mortise.out()).containsPattern("SigBlk:\\s0+\n");
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    @DisplayName(
            "what the command leaves running ends before the lock is free; a daemon of its own session is left alone")
    void leftBehind() {
        String script = "sleep 300 & echo $! > left; setsid sh -c 'echo $$ > daemon; exec sleep 300' &"
                + " while [ ! -s daemon ]; do sleep 0.02; done; exit 3";
        try (Mortise mortise = run("sh", "-c", script)) {
            assertThat(mortise.exitCode()).isEqualTo(3);
            assertThat(Processes.isAlive(Processes.number(directory.resolve("left"))))
                    .isFalse();
            assertThat(mortise.err()).contains("left running");
            long daemon = Processes.number(directory.resolve("daemon"));
            assertThat(Processes.isAlive(daemon)).isTrue();
            Processes.signal("KILL", daemon);
        }
    }

    @Test
    @DisplayName("the command may run longer than a lease")
    void renewal() {
        try (Mortise mortise =
                Mortise.start(directory, "run", "--store", "memory:run", "--lease", "4s", "job", "--", "sleep", "5")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
        }
    }
}
