// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.support.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Callers of all kinds on several clients, while calls into the store, listeners and the starts of threads throw errors,
 * messages are lost and late, memory is exhausted, and clients are closed and locks revoked. A short run by default;
 * {@code -Dmortise.stress=20m} says how long, {@code -Dmortise.stress.seed} repeats a round.
 */
class EngineStressTest {
    private static final String MEMORY = "-Xmx64m";

    /** The stack of a thread is taken out of the address space: with large stacks and little space threads run out. */
    private static final String STACK = "-Xss128m";

    private static final long ADDRESS_SPACE_KILOBYTES = 12L << 20;

    @Test
    void theEngineTellsTheTruthOnItsWorstDay() throws IOException, InterruptedException {
        Duration length = DurationText.parse(System.getProperty("mortise.stress", "20s"));
        String seed = System.getProperty("mortise.stress.seed", String.valueOf(System.nanoTime() & 0xffffffL));
        String goOn = System.getProperty("mortise.stress.goOn", "false");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                MEMORY,
                STACK,
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:CompressedClassSpaceSize=32m",
                "-XX:ReservedCodeCacheSize=32m",
                "-cp",
                System.getProperty("java.class.path"),
                StressProgram.class.getName(),
                length.toString(),
                seed,
                goOn));
        Process program = limited(command).redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = program.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                System.out.println(line);
            }
        } finally {
            program.destroyForcibly();
        }
        assertThat(program.waitFor()).as(String.join("\n", lines)).isZero();
    }

    /** With little address space, and behind whatever else this machine has to do; where there is a shell. */
    private static ProcessBuilder limited(List<String> command) {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return new ProcessBuilder(command);
        }
        List<String> shell = new ArrayList<>(
                List.of("sh", "-c", "ulimit -v " + ADDRESS_SPACE_KILOBYTES + "; exec nice -n 5 \"$@\"", "sh"));
        shell.addAll(command);
        return new ProcessBuilder(shell);
    }
}
