// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that takes one lock, is refused it once, asks who has it, releases it and ends, and tells which classes it has loaded. */
final class FirstLock {
    private static final Pattern LOADED = Pattern.compile("\\] (\\S+) source:");

    private FirstLock() {}

    /** {@code log}: a file that is not there yet. */
    static List<String> classes(String url, Path log) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + log,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FirstLock.class.getName(),
                        url)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        try (var lines = Files.lines(log)) {
            return lines.map(LOADED::matcher)
                    .filter(Matcher::find)
                    .map(line -> line.group(1))
                    .toList();
        }
    }

    /** Argument: the URL. */
    public static void main(String... arguments) throws InterruptedException {
        try (LockClient client = LockClient.connect(arguments[0]);
                LockClient other = LockClient.connect(arguments[0])) {
            try (Lease held = client.lock("first").acquire()) {
                boolean refused = other.lock("first").tryAcquire().isEmpty();
                boolean told = other.lock("first").holder().isPresent();
                if (!refused || !told || !held.isHeld()) {
                    throw new IllegalStateException("refused: " + refused + ", told who has it: " + told);
                }
            }
        }
    }
}
