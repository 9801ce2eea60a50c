// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process whose threads all wait for one lock, have it once, and give it back. Says {@code ready} and then {@code done}, with the
 * token of the last lease.
 */
final class WaiterProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private WaiterProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static WaiterProcess start(String url, String lock, int count) throws IOException {
        return start(url, lock, String.valueOf(count));
    }

    /** A process that holds a lock until it ends, and says {@code ready} when it does. */
    static WaiterProcess hold(String url, String lock, Duration lease) throws IOException {
        return start(url, lock, "0", lease.toString());
    }

    private static WaiterProcess start(String url, String lock, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx200m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WaiterProcess.class.getName(),
                url,
                lock));
        command.addAll(List.of(more));
        return new WaiterProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until the process says a word. Answers the rest of the line. */
    String await(String word) {
        try {
            String line = output.readLine();
            if (line == null || !line.startsWith(word)) {
                throw new AssertionError("instead of " + word + " the waiters said " + line);
            }
            return line.substring(word.length()).strip();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    Process process() {
        return process;
    }

    /** Stops it where it is; its connections stay open. */
    void freeze() {
        try {
            ProcessSignals.freeze(process);
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    void thaw() {
        ProcessSignals.resume(process);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[2]);
        AtomicLong token = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        try (LockClient locks = LockClient.connect(arguments[0])) {
            if (arguments.length > 3) {
                locks.lock(arguments[1], LockOptions.defaults().withLease(Duration.parse(arguments[3])))
                        .acquire();
                System.out.println("ready");
                Thread.sleep(Long.MAX_VALUE);
            }
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(() -> {
                    try (Lease lease = locks.lock(arguments[1]).acquire()) {
                        token.set(lease.fencingToken());
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
        System.out.println("done " + token);
    }
}
