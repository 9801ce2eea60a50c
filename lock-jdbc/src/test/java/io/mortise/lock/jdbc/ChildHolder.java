// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Another JVM that takes a lock, tells its token, and keeps the lock until it is killed. */
final class ChildHolder implements AutoCloseable {
    private final Process process;
    private final long fence;

    private ChildHolder(Process process) throws IOException {
        this.process = process;
        BufferedReader answer =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        String line = answer.readLine();
        if (line == null) {
            throw new IOException("the child ended before it had the lock");
        }
        fence = Long.parseLong(line);
    }

    static ChildHolder start(String url, String lock, Duration lease) {
        try {
            return new ChildHolder(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            ChildHolder.class.getName(),
                            url,
                            lock,
                            lease.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException noChild) {
            throw new UncheckedIOException(noChild);
        }
    }

    long fencingToken() {
        return fence;
    }

    void freeze() throws InterruptedException {
        ProcessSignals.freeze(process);
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws Exception {
        Client client = Client.open(arguments[0]);
        var claim = client.claim(arguments[1], Duration.parse(arguments[2]), 0, 1);
        if (!claim.tryAcquire(Client.ENOUGH)) {
            System.exit(1);
        }
        System.out.println(claim.fencingToken());
        Thread.currentThread().join();
    }
}
