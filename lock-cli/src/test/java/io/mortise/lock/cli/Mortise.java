// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The real command in a process of its own, and what it wrote. */
final class Mortise implements AutoCloseable {
    /** As from a terminal: who runs these tests in the background or under nohup(1) lets all processes ignore some signals. */
    static final String LISTENING = "$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM USR1 USR2); exec @ARGV";

    private final Process process;
    private final Path out;
    private final Path err;

    private Mortise(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static List<String> commandLine(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                // As the manifest of the jar says: SQLite is a native library.
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    static Mortise start(Path directory, String... arguments) {
        return start(directory, Map.of(), Path.of("/dev/null"), commandLine(arguments));
    }

    static Mortise start(Path directory, Map<String, String> environment, Path input, List<String> command) {
        try {
            Path out = Files.createTempFile(directory, "out", ".txt");
            Path err = Files.createTempFile(directory, "err", ".txt");
            List<String> listening = new ArrayList<>(List.of("perl", "-e", LISTENING));
            listening.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(listening)
                    .directory(directory.toFile())
                    .redirectInput(input.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("XDG_STATE_HOME", directory.toString());
            builder.environment().remove("STATE_DIRECTORY");
            builder.environment().put("XDG_CONFIG_HOME", directory.toString());
            builder.environment().putAll(environment);
            return new Mortise(builder.start(), out, err);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Waits for its end. */
    int exitCode() {
        return exitCode(Duration.ofMinutes(3));
    }

    /** Waits for its end, for one of many that start together. */
    int exitCode(Duration atMost) {
        try {
            assertThat(process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS))
                    .as("mortise ends; it wrote: %s%s", out(), err())
                    .isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() {
        return Processes.read(out);
    }

    String err() {
        return Processes.read(err);
    }

    Mortise signal(String name) {
        Processes.signal(name, pid());
        return this;
    }

    /** The process that watches its command; waits until it is there. */
    long guard() {
        Processes.until(() -> guards().findFirst().isPresent());
        return guards().findFirst().orElseThrow();
    }

    private LongStream guards() {
        return process.children().mapToLong(ProcessHandle::pid).filter(pid -> Processes.read(
                        Path.of("/proc/" + pid + "/cmdline"))
                .startsWith("mortise-guard"));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
