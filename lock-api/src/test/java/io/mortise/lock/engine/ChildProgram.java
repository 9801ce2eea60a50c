// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, which may run out of memory or threads without harm to the others. */
final class ChildProgram {
    private ChildProgram() {}

    /**
     * Runs a main class to its end, which must be a good one.
     *
     * @param virtualMemoryKiloBytes the most address space that it gets; 0 for any
     */
    static void run(Class<?> main, long virtualMemoryKiloBytes, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (virtualMemoryKiloBytes > 0) {
            command.addAll(List.of("sh", "-c", "ulimit -v " + virtualMemoryKiloBytes + " && exec \"$@\"", "sh"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Path output = Files.createTempFile("mortise-child", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String said = Files.readString(output);
        Files.delete(output);
        assertThat(ended).as("ended; it said %s", said).isTrue();
        assertThat(process.exitValue()).as("exit value; it said %s", said).isZero();
    }
}
