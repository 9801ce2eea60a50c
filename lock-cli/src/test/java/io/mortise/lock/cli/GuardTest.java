// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command does not outlive its lock, whoever is killed or frozen. */
class GuardTest {
    /** A store whose leases are not renewed: what a store that has gone silent looks like from here. */
    private static final String SILENT = "memory:silent?mortise.renewal=false";

    private static final String STUBBORN = "trap '' TERM INT HUP; ";
    private static final String FOREVER = "echo $$ > main; while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private Mortise run(String store, String lease, String script) {
        return Mortise.start(directory, "run", "--store", store, "--lease", lease, "job", "--", "sh", "-c", script);
    }

    private long number(String file) {
        return Processes.number(directory.resolve(file));
    }

    @Test
    @DisplayName("the command is asked to end when a third of the lease is left")
    void atRisk() {
        try (Mortise mortise = run(SILENT, "3s", "trap 'echo 1 > asked; exit 0' TERM; " + FOREVER)) {
            assertThat(mortise.exitCode()).isEqualTo(76);
            assertThat(number("asked")).isEqualTo(1);
            assertThat(mortise.err()).contains("asked to end");
        }
    }

    @Test
    @DisplayName("a command that ignores TERM is killed before the lease ends")
    void deadline() {
        try (Mortise mortise = run(SILENT, "5s", STUBBORN + FOREVER)) {
            long main = number("main");
            long seen = System.nanoTime();
            Processes.untilGone(main);
            assertThat(System.nanoTime() - seen).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(mortise.exitCode()).isEqualTo(76);
        }
    }

    @Test
    @DisplayName("a stopped command is killed before the lease ends")
    void stoppedCommand() {
        try (Mortise mortise = run(SILENT, "2s", STUBBORN + FOREVER)) {
            long main = number("main");
            Processes.signal("STOP", main);
            assertThat(mortise.exitCode()).isEqualTo(76);
            assertThat(Processes.isAlive(main)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "setsid sh -c 'echo $$ > escaped; exec sleep 300' & ",
                "(setsid sh -c 'echo $$ > escaped; exec sleep 300' &) & ",
                "perl -e 'exit if fork; exit if fork; open F, q(>escaped); print F qq($$\\n); close F; sleep 300'; ",
                "env -i setsid sh -c 'trap \"\" TERM; echo $$ > escaped; while :; do sleep 0.1; done' & "
            })
    @DisplayName("no descendant escapes by a session, a double fork, or an empty environment")
    void escapes(String escape) {
        try (Mortise mortise = run(SILENT, "2s", escape + FOREVER)) {
            long escaped = number("escaped");
            assertThat(mortise.exitCode()).isEqualTo(76);
            assertThat(Processes.isAlive(escaped)).isFalse();
        }
    }

    @Test
    @DisplayName("if mortise is killed, the command is asked to end and then killed, before the lease ends")
    void killedMortise() {
        try (Mortise mortise = run("memory:killed", "4s", STUBBORN + "setsid " + "sh -c '" + FOREVER + "'")) {
            long main = number("main");
            mortise.signal("KILL");
            long killed = System.nanoTime();
            Processes.untilGone(main);
            assertThat(System.nanoTime() - killed).isLessThan(TimeUnit.MILLISECONDS.toNanos(4000));
        }
    }

    @Test
    @DisplayName(
            "if mortise is frozen, the command ends before the lease does, and mortise exits with 76 when it continues")
    void frozenMortise() {
        try (Mortise mortise = run("memory:frozen", "3s", STUBBORN + FOREVER)) {
            long main = number("main");
            mortise.signal("STOP");
            long stopped = System.nanoTime();
            Processes.untilGone(main);
            assertThat(System.nanoTime() - stopped).isLessThan(TimeUnit.MILLISECONDS.toNanos(3000));
            mortise.signal("CONT");
            assertThat(mortise.exitCode()).isEqualTo(76);
            assertThat(mortise.err()).contains("was lost");
        }
    }

    @Test
    @DisplayName("a script gets no HUP when the command of its frozen mortise is killed")
    void frozenMortiseInAScript() {
        String script = "\"$@\" & mortise=$!; while [ ! -s main ]; do sleep 0.05; done; kill -STOP $mortise;"
                + " while kill -0 $(cat main) 2>/dev/null; do sleep 0.05; done;"
                + " kill -CONT $mortise; wait $mortise; echo $? > status";
        List<String> line = new ArrayList<>(List.of("setsid", "--wait", "sh", "-c", script, "sh"));
        line.addAll(Mortise.commandLine(
                "run",
                "--store",
                "memory:script",
                "--lease",
                "3s",
                "job",
                "--",
                "sh",
                "-c",
                "echo $$ > main; " + FOREVER));
        try (Mortise runner = Mortise.start(directory, Map.of(), Path.of("/dev/null"), line)) {
            assertThat(runner.exitCode()).isZero();
            assertThat(number("status")).isEqualTo(76);
        }
    }

    @Test
    @DisplayName("mortise continues after a freeze that was shorter than the lease")
    void shortlyFrozenMortise() throws InterruptedException {
        try (Mortise mortise =
                run("memory:short", "6s", "echo $$ > main; while [ ! -e go ]; do sleep 0.05; done; exit 4")) {
            long main = number("main");
            mortise.signal("STOP");
            TimeUnit.MILLISECONDS.sleep(1000); // the length of the freeze is what is tested
            assertThat(Processes.isAlive(main)).isTrue();
            mortise.signal("CONT");
            assertThat(directory.resolve("go").toFile().mkdir()).isTrue();
            assertThat(mortise.exitCode()).isEqualTo(4);
        }
    }

    @Test
    @DisplayName("if the guard is killed, the command and its descendants are killed too")
    void killedGuard() {
        try (Mortise mortise =
                run("memory:unguarded", "30s", "sh -c 'echo $$ > deep; while :; do sleep 0.05; done' & " + FOREVER)) {
            long main = number("main");
            long deep = number("deep");
            Processes.signal("KILL", mortise.guard());
            assertThat(mortise.exitCode()).isEqualTo(137);
            assertThat(Processes.isAlive(main)).isFalse();
            assertThat(Processes.isAlive(deep)).isFalse();
            assertThat(mortise.err()).contains("guard");
        }
    }

    @Test
    @DisplayName("a frozen guard is thawed, and the command's exit status arrives")
    void frozenGuard() {
        try (Mortise mortise =
                run("memory:thaw", "30s", "echo $$ > main; while [ ! -e go ]; do sleep 0.05; done; exit 9")) {
            number("main");
            Processes.signal("STOP", mortise.guard());
            assertThat(directory.resolve("go").toFile().mkdir()).isTrue();
            assertThat(mortise.exitCode()).isEqualTo(9);
        }
    }

    @Test
    @DisplayName("if the guard is frozen when the lease runs out, mortise kills the command itself")
    void frozenGuardAndSilentStore() {
        try (Mortise mortise = run(SILENT, "5s", "trap 'echo 1 > asked' TERM; " + FOREVER)) {
            long main = number("main");
            long seen = System.nanoTime();
            // So late that mortise, which thaws a guard after 2 s of silence, does not do so before the lease ends.
            number("asked");
            Processes.signal("STOP", mortise.guard());
            Processes.untilGone(main);
            assertThat(System.nanoTime() - seen).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(mortise.exitCode()).isEqualTo(76);
        }
    }

    @Test
    @DisplayName("the guard ignores every signal but KILL")
    void deafGuard() {
        try (Mortise mortise =
                run("memory:deaf", "30s", "echo $$ > main; while [ ! -e go ]; do sleep 0.05; done; exit 9")) {
            number("main");
            for (String signal : new String[] {"HUP", "INT", "TERM", "TSTP", "TTIN", "USR1", "PIPE"}) {
                Processes.signal(signal, mortise.guard());
            }
            assertThat(directory.resolve("go").toFile().mkdir()).isTrue();
            assertThat(mortise.exitCode()).isEqualTo(9);
        }
    }

    @Test
    @DisplayName("--max-hold ends the command")
    void maxHold() {
        try (Mortise mortise = Mortise.start(
                directory,
                "run",
                "--store",
                "memory:hold",
                "--lease",
                "1s",
                "--max-hold",
                "2s",
                "job",
                "--",
                "sleep",
                "60")) {
            assertThat(mortise.exitCode()).isEqualTo(76);
        }
    }
}
