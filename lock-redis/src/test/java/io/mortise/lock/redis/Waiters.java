// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process whose threads all wait for one lock, have it once, and give it back. Says {@code ready} and then {@code done}. */
final class Waiters implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Waiters(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Waiters start(String url, String lock, int count) throws IOException {
        return new Waiters(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx200m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Waiters.class.getName(),
                        url,
                        lock,
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until the process says a word. */
    void await(String word) {
        try {
            String line = output.readLine();
            if (!word.equals(line)) {
                throw new AssertionError("instead of " + word + " the waiters said " + line);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[2]);
        List<Thread> threads = new ArrayList<>();
        try (LockClient locks = LockClient.connect(arguments[0])) {
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(() -> {
                    try (Lease lease = locks.lock(arguments[1]).acquire()) {
                        lease.ensureHeld();
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            System.out.println("ready");
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.println("done");
    }
}
