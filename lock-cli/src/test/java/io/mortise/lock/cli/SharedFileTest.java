// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several mortises on the default store: one file. */
class SharedFileTest {
    private static final String STUBBORN = "trap '' TERM; echo $$ > main; while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private Mortise start(String... arguments) {
        return Mortise.start(directory, arguments);
    }

    private Mortise hold(String lease, String script) {
        return start("run", "--lease", lease, "job", "--", "sh", "-c", script);
    }

    private long main() {
        return Processes.number(directory.resolve("main"));
    }

    @Test
    @DisplayName("a second run exits with 75 or the chosen code, at once or after its wait; the store file is private")
    void busy() throws IOException {
        try (Mortise holder = hold("30s", STUBBORN);
                Mortise other = start("run", "other", "--", "true")) {
            main();
            try (Mortise second = start("run", "--no-wait", "job", "--", "touch", "ran");
                    Mortise third =
                            start("run", "--wait", "2s", "--conflict-exit-code", "9", "job", "--", "touch", "ran")) {
                assertThat(second.exitCode()).isEqualTo(75);
                assertThat(second.err()).contains("held by others");
                assertThat(third.exitCode()).isEqualTo(9);
            }
            assertThat(other.exitCode()).isZero();
            assertThat(directory.resolve("ran")).doesNotExist();
            Path file = directory.resolve("mortise/locks.db");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(holder.isAlive()).isTrue();
        }
    }

    @Test
    @DisplayName("a waiter gets the lock as soon as the command of the holder has ended")
    void waiting() {
        try (Mortise holder =
                hold("30s", "echo $$ > main; while [ ! -e go ]; do sleep 0.05; done; echo $MORTISE_FENCING_TOKEN")) {
            main();
            try (Mortise waiter = start("run", "job", "--", "sh", "-c", "echo $MORTISE_FENCING_TOKEN")) {
                waiter.guard();
                assertThat(directory.resolve("go").toFile().mkdir()).isTrue();
                assertThat(waiter.exitCode()).isZero();
                assertThat(holder.exitCode()).isZero();
                assertThat(Long.parseLong(waiter.out().trim()))
                        .isGreaterThan(Long.parseLong(holder.out().trim()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    @DisplayName("if mortise is killed or frozen, its command is gone before another gets the lock")
    void killedOrFrozen(String signal) {
        try (Mortise holder = hold("3s", STUBBORN)) {
            long main = main();
            holder.signal(signal);
            String look = "grep -q '^State:.[^ZX]' /proc/" + main + "/status && exit 1; exit 0";
            try (Mortise next = start("run", "job", "--", "sh", "-c", look);
                    Mortise asking = start("run", "--no-wait", "job", "--", "true")) {
                assertThat(asking.exitCode()).isIn(75, 0);
                assertThat(next.exitCode())
                        .as("the first command was still there")
                        .isZero();
            }
            if (signal.equals("STOP")) {
                holder.signal("CONT");
                assertThat(holder.exitCode()).isEqualTo(76);
            }
        }
    }

    @Test
    @DisplayName("revoking a lock ends the command of the holder and reports the reason")
    void revoke() {
        try (Mortise holder = hold("3s", STUBBORN)) {
            main();
            try (Mortise revoke = start("revoke", "job", "--reason", "maintenance", "--json")) {
                assertThat(revoke.exitCode()).isZero();
                assertThat(revoke.out()).isEqualTo("{\"lock\":\"job\",\"revoked\":true}\n");
            }
            assertThat(holder.exitCode()).isEqualTo(76);
            assertThat(holder.err()).contains("maintenance");
        }
        try (Mortise free = start("revoke", "nothing", "--reason", "x")) {
            assertThat(free.exitCode()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a lock that is revoked with --now is free at once")
    void revokeNow() {
        try (Mortise holder = hold("6s", STUBBORN)) {
            main();
            try (Mortise revoke = start("revoke", "job", "--reason", "dead", "--now")) {
                assertThat(revoke.exitCode()).isZero();
            }
            try (Mortise next = start("run", "--no-wait", "job", "--", "true")) {
                assertThat(next.exitCode()).isZero();
            }
            assertThat(holder.exitCode()).isEqualTo(76);
        }
    }

    @Test
    @DisplayName("ls and show print the holders, and names cannot disturb the terminal")
    void looking() {
        String name = "evil\u001b[31m\nname\"\\";
        try (Mortise holder = start("run", name, "--", "sh", "-c", STUBBORN)) {
            main();
            try (Mortise text = start("ls", "evil");
                    Mortise json = start("ls", "--json");
                    Mortise show = start("show", name, "--json");
                    Mortise nothing = start("ls", "good");
                    Mortise free = start("show", "free")) {
                assertThat(text.exitCode()).as(text.err()).isZero();
                assertThat(text.out())
                        .startsWith("evil\\u{1b}[31m\\u{a}name\"\\u{5c}  held by ")
                        .hasLineCount(1);
                assertThat(json.exitCode()).isZero();
                assertThat(json.out())
                        .startsWith("[\n{\"lock\":\"evil\\u001b[31m\\u000aname\\\"\\\\\",\"held\":true,\"holder\":\"")
                        .endsWith("\"waiters\":null,\"revoked\":null}\n]\n");
                assertThat(show.exitCode()).isZero();
                assertThat(show.out()).hasLineCount(1).contains("\"remaining_ms\":");
                assertThat(nothing.exitCode()).isZero();
                assertThat(nothing.out()).isEmpty();
                assertThat(free.exitCode()).isEqualTo(1);
                assertThat(free.out()).isEqualTo("free\n");
            }
            assertThat(holder.isAlive()).isTrue();
        }
    }

    @Test
    @DisplayName("69 if the store does not answer, and no password in any message")
    void unanswered() throws IOException {
        Path data = Files.writeString(
                directory.resolve("data"), "this is no database, but long enough to look at".repeat(40));
        try (Mortise mortise = start(
                "run", "--no-wait", "--store", "jdbc:sqlite:" + data + "?password=hunter2", "job", "--", "true")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isIn(64, 69);
            assertThat(mortise.err()).doesNotContain("hunter2").doesNotContain("\tat ");
        }
    }

    @Test
    @DisplayName("the help names the default file; the URL may stand in a file or in the environment")
    void help() throws IOException {
        Path url = Files.writeString(directory.resolve("url"), "memory:here\nsecond line\n");
        try (Mortise help = start("--help");
                Mortise file = start("run", "--store-file", url.toString(), "job", "--", "true")) {
            assertThat(help.exitCode()).isZero();
            assertThat(help.out().replaceAll("\\s+", "")).contains(directory + "/mortise/locks.db");
            assertThat(file.exitCode()).as(file.err()).isZero();
            assertThat(directory.resolve("mortise")).doesNotExist();
        }
    }
}
