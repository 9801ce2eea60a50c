// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The suite runs with the versions of JUnit that builds pin; the build puts their jars beside the classes. */
class JUnitVersionsTest {
    private static final Path JARS = Path.of("target", "versions").toAbsolutePath();

    /** Runs some cases and tells what became of them. */
    static final class Program {
        private Program() {}

        public static void main(String[] cases) {
            SuiteRun run = SuiteRun.of(KitTest.class, List.of(cases));
            System.out.println("passed " + run.passed() + " failed " + run.failures());
        }
    }

    @ParameterizedTest
    @CsvSource({"5.10.2, 1.10.2", "5.12.2, 1.12.2", "5.14.4, 1.14.4"})
    void theSuiteRuns(String jupiter, String platform) throws Exception {
        assertThat(run(
                        jupiter,
                        platform,
                        "a1_secondClientIsRefusedWhileHeld",
                        "d1_anInterruptBeforeTheCallAsksNothing"))
                .contains(
                        "passed [a1_secondClientIsRefusedWhileHeld, d1_anInterruptBeforeTheCallAsksNothing] failed {}");
    }

    private static String run(String jupiter, String platform, String... cases)
            throws IOException, InterruptedException {
        Stream<String> others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !Path.of(path).getFileName().toString().startsWith("junit-"));
        Stream<String> versions = Stream.concat(
                Stream.of("api", "engine").map(part -> jar("jupiter-" + part, jupiter)),
                Stream.of("commons", "engine", "launcher").map(part -> jar("platform-" + part, platform)));
        String classPath = Stream.concat(versions, others).collect(Collectors.joining(File.pathSeparator));
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                classPath,
                                Program.class.getName()),
                        Stream.of(cases))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }

    private static String jar(String name, String version) {
        return JARS.resolve("junit-" + name + "-" + version + ".jar").toString();
    }
}
