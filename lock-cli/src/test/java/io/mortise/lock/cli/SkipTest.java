// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --unless-run-since}: a job is skipped after a success, and only after a success. */
class SkipTest {
    @TempDir
    private Path directory;

    private Mortise run(String since, String script, String... options) {
        List<String> line = new ArrayList<>(List.of("run", "--unless-run-since", since));
        line.addAll(List.of(options));
        line.addAll(List.of("job", "--", "sh", "-c", script));
        return Mortise.start(directory, line.toArray(String[]::new));
    }

    private void ends(Mortise mortise, int code) {
        try (mortise) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(code);
        }
    }

    @Test
    @DisplayName(
            "after a success the job is skipped with 0 and a sentence, also for another process; --quiet says nothing")
    void success() {
        ends(run("1h", "exit 0"), 0);
        try (Mortise second = run("1h", "touch ran");
                Mortise quiet = run("1h", "touch ran", "--quiet")) {
            assertThat(second.exitCode()).as(second.err()).isZero();
            assertThat(second.err())
                    .matches("mortise: skipped: lock 'job' was run with success [0-9.ms]+ ago by .*@.*\n");
            assertThat(quiet.exitCode()).isZero();
            assertThat(quiet.err()).isEmpty();
            assertThat(directory.resolve("ran")).doesNotExist();
        }
    }

    @Test
    @DisplayName("no failure counts as a success: not an exit status, a signal, a time-out, or a lost lock")
    void failures() {
        ends(run("1h", "exit 3"), 3);
        ends(run("1h", "kill -KILL $$"), 137);
        ends(run("1h", "trap 'exit 0' TERM; while :; do sleep 0.05; done", "--timeout", "100ms"), 124);
        ends(run("1h", "trap 'exit 0' TERM; while :; do sleep 0.05; done", "--max-hold", "1s"), 76);
        ends(run("1h", "touch ran"), 0);
        assertThat(directory.resolve("ran")).exists();
    }

    @Test
    @DisplayName("the success is forgotten after its time, and when it is revoked")
    void forgotten() {
        ends(run("1s", "exit 0"), 0);
        Processes.until(() -> {
            try (Mortise show = Mortise.start(directory, "show", "job.last-success")) {
                return show.exitCode() == 1;
            }
        });
        ends(run("1h", "touch second"), 0);
        assertThat(directory.resolve("second")).exists();
        ends(Mortise.start(directory, "revoke", "job.last-success", "--now", "--reason", "again"), 0);
        ends(run("1h", "touch third"), 0);
        assertThat(directory.resolve("third")).exists();
    }

    @Test
    @DisplayName("of several that start together one runs, and the others wait for it and are skipped")
    void together() {
        String script = "echo ran >> runs; sleep 1";
        try (Mortise first = run("1h", script);
                Mortise second = run("1h", script);
                Mortise third = run("1h", script)) {
            for (Mortise each : List.of(first, second, third)) {
                assertThat(each.exitCode()).as(each.err()).isZero();
            }
        }
        assertThat(Processes.read(directory.resolve("runs"))).isEqualTo("ran\n");
    }

    @Test
    @DisplayName("a store that cannot tell when a lock is free is refused: it would show the success for ever")
    void clockFree() {
        String store = "jdbc:sqlite:" + directory.resolve("free.db") + "?mortise.clockFree=true";
        try (Mortise mortise = run("1h", "touch ran", "--store", store)) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
            assertThat(mortise.err())
                    .startsWith("mortise: --unless-run-since: ")
                    .hasLineCount(1);
            assertThat(directory.resolve("ran")).doesNotExist();
        }
    }
}
