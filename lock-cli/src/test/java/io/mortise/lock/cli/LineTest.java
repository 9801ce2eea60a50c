// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.testing.ProcessSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of runs that need no JVM yet; where no lock is needed, a script that writes down its arguments stands for Java. */
class LineTest {
    private static final Path LINE = Path.of("src/main/dist/lib/line.pl").toAbsolutePath();
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int PLACES = 3;

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();
    private Path java;

    @BeforeEach
    void writeTheScript() throws IOException {
        java = Files.writeString(directory.resolve("java"), """
                #!/bin/sh
                printf '%s\\n' "$@" > written.$$ && mv written.$$ args.$$
                while [ -e busy ]; do sleep 0.05; done
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.createFile(directory.resolve("busy"));
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    /** A run in the line, with the script instead of the JVM. */
    private Process stand(String... arguments) throws IOException {
        return stand(Map.of(), arguments);
    }

    private Process stand(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/perl", "-t", LINE.toString(), "1", java.toString()));
        command.addAll(List.of(arguments));
        return start(environment, command);
    }

    private Process start(Map<String, String> environment, List<String> command) throws IOException {
        List<String> listening = new ArrayList<>(List.of("perl", "-e", Mortise.LISTENING));
        listening.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(listening).directory(directory.toFile());
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment()
                .putAll(Map.of("XDG_RUNTIME_DIR", directory.toString(), "XDG_STATE_HOME", directory.toString()));
        builder.environment().remove("MORTISE_STORE");
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path arguments(Process process) {
        return directory.resolve("args." + process.pid());
    }

    /** Whether it has become the JVM. */
    private boolean hasAPlace(Process process) {
        return Files.exists(arguments(process));
    }

    private static boolean standsInLine(Process process) {
        return process.info().commandLine().orElse("").contains("line.pl");
    }

    private void awaitAPlace(Process process) {
        await().atMost(LONG).until(() -> hasAPlace(process));
    }

    /** As many as there are places for, all of which have one. */
    private List<Process> all(String... arguments) throws IOException {
        List<Process> all = new ArrayList<>();
        for (int place = 0; place < PLACES; place++) {
            all.add(stand(arguments));
        }
        all.forEach(this::awaitAPlace);
        return all;
    }

    /** Nothing can be awaited that must not happen: longer than the line takes to see a place that is free. */
    private void keepsStanding(Process process) {
        await().during(Duration.ofMillis(500)).atMost(LONG).until(() -> standsInLine(process) && !hasAPlace(process));
    }

    @Test
    @DisplayName("as many as there are places get one, and the others when one of these has ended")
    void places() throws Exception {
        List<Process> first = all("run", "job", "--", "true");
        Process second = stand("run", "job", "--", "true");
        Process third = stand("run", "job", "--", "true");
        keepsStanding(second);
        keepsStanding(third);

        ProcessSignals.freeze(first.get(2)); // keeps its place, and nobody from the others
        first.get(1).destroyForcibly().waitFor();
        await().atMost(LONG).until(() -> hasAPlace(second) != hasAPlace(third));
        first.get(0).destroyForcibly().waitFor();
        awaitAPlace(second);
        awaitAPlace(third);
    }

    @Test
    @DisplayName(
            "who waits for another lock, at another store, or with other words for the default store, stands in another line")
    void otherLines() throws Exception {
        all("run", "job", "--", "true");

        awaitAPlace(stand("run", "job2", "--", "true"));
        awaitAPlace(stand("run", "--store", "jdbc:sqlite:/other.db", "job", "--", "true"));
        awaitAPlace(stand(Map.of("MORTISE_STORE", "redis://localhost"), "run", "job", "--", "true"));
        awaitAPlace(stand(Map.of("XDG_STATE_HOME", "/elsewhere"), "run", "job", "--", "true"));
        keepsStanding(stand("run", "--quiet", "--lease=30s", "--max-hold", "5m", "job", "--", "other"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --no-wait job -- true",
                "run --help job",
                "run --store memory:x job -- true",
                "run --store jdbc:h2:mem:x job -- true",
                "run --store redis://localhost?mortise.maxWait=1s job -- true",
                "run --store-file /no/such/file job -- true",
                "run --wait 1s --wait 2s job -- true",
                "run --wait soon job -- true",
                "run --wait",
                "run --unknown job -- true",
                "run --ask-password job -- true",
                "run",
                "ls",
            })
    @DisplayName("what the line does not understand, or must not keep, becomes the JVM at once, with the same words")
    void notInLine(String line) throws Exception {
        all("run", "job", "--", "true");
        all("run", "--store", "redis://localhost?mortise.maxWait=1s", "job", "--", "true");
        Process process = stand(line.split(" "));

        awaitAPlace(process);
        Files.delete(directory.resolve("busy"));
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(arguments(process))).isEqualTo(line.replace(' ', '\n') + "\n");
    }

    @Test
    @DisplayName("the JVM gets what is left of the time to wait, and asks once if none is left")
    void waitingTime() throws Exception {
        Process first = stand("run", "--wait", "1h", "job", "--", "true", "--wait", "1h");
        awaitAPlace(first);
        assertThat(Files.readString(arguments(first)))
                .matches("(-Dmortise.waited=\\d+\n)?run\n--wait=3(600000|59\\d{4})ms\njob\n--\ntrue\n--wait\n1h\n");
        stand("run", "job", "--", "true");
        stand("run", "job", "--", "true");
        await().atMost(LONG).until(() -> started.stream().allMatch(this::hasAPlace));

        long begin = System.nanoTime();
        Process late = stand("run", "--quiet", "--wait=1500ms", "job", "--", "true");
        awaitAPlace(late);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1450));
        assertThat(Files.readString(arguments(late)))
                .matches("-Dmortise.waited=\\d+\nrun\n--quiet\n--wait=0ms\njob\n--\ntrue\n");
    }

    @Test
    @DisplayName("a signal ends who stands in line, unless it is ignored")
    void signals() throws Exception {
        all("run", "job", "--", "true");
        Process process = stand("run", "job", "--", "true");
        List<String> nohup =
                new ArrayList<>(List.of("nohup", "/usr/bin/perl", "-t", LINE.toString(), "1", java.toString()));
        nohup.addAll(List.of("run", "job", "--", "true"));
        Process deaf = start(Map.of(), nohup);
        keepsStanding(process);
        keepsStanding(deaf);

        ProcessSignals.send("HUP", process.toHandle());
        ProcessSignals.send("HUP", deaf.toHandle());
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + 1);
        keepsStanding(deaf);
    }

    @Test
    @DisplayName("a folder that others can write is no place for the line")
    void unsafeFolder() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("mortise"));
        assertThat(folder.toFile().setWritable(true, false)).isTrue();
        for (int count = 0; count <= PLACES; count++) {
            awaitAPlace(stand("run", "job", "--", "true"));
        }
    }

    @Test
    @DisplayName("the line knows the options of mortise run, and which of them have a value")
    void options() throws IOException {
        String script = Files.readString(LINE);
        Set<String> withValue = new TreeSet<>();
        Set<String> withoutValue = new TreeSet<>();
        Objects.requireNonNull(Main.commandLine("run").getSubcommands().get("run"))
                .getCommandSpec()
                .options()
                .forEach(option -> (option.arity().max() == 0 ? withoutValue : withValue).add(option.longestName()));
        withoutValue.removeAll(
                Set.of("--help", "--version", "--no-wait", "--ask-password")); // these do not wait in line

        assertThat(words(script, "%with_value")).isEqualTo(withValue);
        assertThat(words(script, "%without_value")).isEqualTo(withoutValue);
    }

    private static Set<String> words(String script, String list) {
        return Pattern.compile(Pattern.quote(list) + " = map .*? qw\\((.*?)\\);", Pattern.DOTALL)
                .matcher(script)
                .results()
                .flatMap(found -> Stream.of(found.group(1).split("\\s+")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("of many runs each runs its command once, one after the other")
    void realRuns() throws Exception {
        List<String> mortise = new ArrayList<>(List.of("/usr/bin/perl", "-t", LINE.toString()));
        List<String> java = Mortise.commandLine();
        mortise.add(Integer.toString(java.size()));
        mortise.addAll(java);
        mortise.addAll(List.of("run", "--wait", "120s", "job", "--", "sh", "-c"));
        mortise.add("mkdir one || exit 9; while [ -e busy ]; do sleep 0.05; done; touch ran.$$; rmdir one");
        for (int count = 0; count < 7; count++) {
            start(Map.of(), mortise);
        }
        await().atMost(LONG).until(() -> Files.exists(directory.resolve("one")));
        await().atMost(LONG)
                .until(() -> started.stream().filter(LineTest::standsInLine).count() == 7 - PLACES);

        Files.delete(directory.resolve("busy"));
        for (Process each : started) {
            assertThat(each.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(each.exitValue())
                    .as(Files.readString(directory.resolve("out")))
                    .isZero();
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.toString().contains("/ran."))).hasSize(7);
        }
    }
}
