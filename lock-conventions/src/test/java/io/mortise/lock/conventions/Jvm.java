// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An installed JVM that tests start processes on.
 *
 * @param home its directory
 */
record Jvm(Path home) {
    private static final long PATIENCE_SECONDS = 60;

    /** The JVM of this test and, if there is one, the newer JDK that was given to the build. */
    static Stream<Jvm> all() {
        return Stream.of(System.getProperty("java.home"), System.getProperty("mortise.jdk25", ""))
                .filter(home -> !home.isEmpty())
                .map(home -> new Jvm(Path.of(home)));
    }

    /** Runs java to its end. */
    Outcome java(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(home.resolve("bin/java").toString(), "-XX:TieredStopAtLevel=1"), Stream.of(arguments))
                .toList();
        return run(directory, command);
    }

    /** Runs a command to its end, with this JVM as its JAVA_HOME. */
    Outcome run(Path directory, List<String> command) throws IOException, InterruptedException {
        return run(directory, command, PATIENCE_SECONDS);
    }

    /** As above, for a command that may take so long. */
    Outcome run(Path directory, List<String> command, long seconds) throws IOException, InterruptedException {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(Map.of("JAVA_HOME", home.toString(), "HOME", directory.toString()));
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError(command + " did not end; stderr: " + Files.readString(err));
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @Override
    public String toString() {
        return home.toString();
    }

    /**
     * How a process ended.
     *
     * @param status its exit status
     * @param out its standard output
     * @param err its standard error
     */
    record Outcome(int status, String out, String err) {}
}
