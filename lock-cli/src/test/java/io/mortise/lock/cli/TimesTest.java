// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options of {@code mortise run} that limit how long the command runs and how long the lock is kept. */
class TimesTest {
    private static final String FOREVER = "while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    /** A command in a shell, with more options, on a store that always answers at once. */
    private Mortise run(List<String> options, String script) {
        return run("memory:times", options, script);
    }

    /** The same on a store that this test's processes share. */
    private Mortise runShared(List<String> options, String script) {
        return run("jdbc:sqlite:" + directory.resolve("locks.db"), options, script);
    }

    private Mortise run(String store, List<String> options, String script) {
        List<String> line = new ArrayList<>(List.of("run", "--store", store));
        line.addAll(options);
        line.addAll(List.of("job", "--", "sh", "-c", script));
        return Mortise.start(directory, line.toArray(String[]::new));
    }

    @Test
    @DisplayName("a command that ends within a --max-hold that is shorter than the lease keeps its exit status")
    void endsInTime() {
        try (Mortise mortise = run(List.of("--max-hold", "12s"), "sleep 4; exit 3")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(3);
            assertThat(mortise.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("76 and a sentence for a command that --max-hold has ended")
    void endedByMaxHold() {
        try (Mortise obedient = run(List.of("--max-hold", "3s"), "trap 'exit 0' TERM; " + FOREVER);
                Mortise stubborn = run(List.of("--max-hold", "3s"), "trap '' TERM; " + FOREVER)) {
            assertThat(obedient.exitCode()).as(obedient.err()).isEqualTo(76);
            assertThat(obedient.err())
                    .contains("mortise: max-hold reached: lock 'job' may be held for 3.0s, so the command was ");
            assertThat(stubborn.exitCode()).as(stubborn.err()).isEqualTo(76);
            assertThat(stubborn.err()).contains("max-hold reached").contains("was killed");
        }
    }

    @Test
    @DisplayName("124 and a sentence for a command that ran longer than --timeout, whatever its own exit status")
    void timedOut() {
        String script = "trap 'echo asked; exit 0' TERM; " + FOREVER;
        try (Mortise mortise = run(List.of("--timeout", "1s"), script);
                Mortise ended = run(List.of("--timeout", "1h"), "exit 5")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(124);
            assertThat(mortise.out()).isEqualTo("asked\n");
            assertThat(mortise.err())
                    .endsWith("mortise: the command was ended: it ran longer than its time-out of 1.0s\n");
            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "a command that ignores TERM after --timeout is killed with all its descendants, and its lock is renewed until then")
    void timedOutAndStubborn() {
        String script = "trap '' TERM; setsid sh -c 'echo $$ > escaped; " + FOREVER + "' & " + FOREVER;
        try (Mortise mortise = run(List.of("--timeout", "1s", "--lease", "6s"), script)) {
            long escaped = Processes.number(directory.resolve("escaped"));
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(124);
            assertThat(Processes.isAlive(escaped)).isFalse();
        }
    }

    @Test
    @DisplayName("--at-least keeps the lock from others although the command has ended")
    void atLeast() {
        try (Mortise first = runShared(List.of("--at-least", "1h"), "exit 0")) {
            assertThat(first.exitCode()).as(first.err()).isZero();
        }
        try (Mortise second = runShared(List.of("--no-wait"), "touch ran")) {
            assertThat(second.exitCode()).as(second.err()).isEqualTo(75);
            assertThat(directory.resolve("ran")).doesNotExist();
        }
    }

    @Test
    @DisplayName(
            "--lock-delay keeps the lock from others for longer than the lease after mortise was killed, but not after a release")
    void lockDelay() {
        try (Mortise released = runShared(List.of("--lock-delay", "1h"), "exit 0")) {
            assertThat(released.exitCode()).as(released.err()).isZero();
        }
        try (Mortise killed = runShared(List.of("--lock-delay", "1h", "--lease", "2s"), "echo $$ > main; " + FOREVER)) {
            long main = Processes.number(directory.resolve("main"));
            killed.signal("KILL");
            Processes.untilGone(main);
        }
        // Longer than the lease, and shorter than the delay.
        try (Mortise next = runShared(List.of("--wait", "4s"), "touch ran")) {
            long began = System.nanoTime();
            assertThat(next.exitCode()).as(next.err()).isEqualTo(75);
            assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.SECONDS.toNanos(4));
        }
    }
}
