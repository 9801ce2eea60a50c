// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.worker;

import io.mortise.lock.testing.ProcessSignals;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child JVM that uses locks. Not thread-safe. */
public final class Worker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final Path journal;
    private boolean frozen;

    private Worker(Process process, Path journal) {
        this.process = process;
        this.journal = journal;
    }

    /** Starts one with a journal of its own, and variables besides those of this JVM. */
    public static Worker start(
            Path journal,
            Map<String, String> environment,
            String url,
            int guardPort,
            long seed,
            int threads,
            Duration longestLease,
            List<String> names) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProgram.class.getName(),
                url,
                journal.toString(),
                String.valueOf(guardPort),
                String.valueOf(seed),
                String.valueOf(threads),
                String.valueOf(longestLease.toMillis())));
        command.addAll(names);
        Path output = journal.resolveSibling(journal.getFileName() + ".output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Redirect.PIPE)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return new Worker(builder.start(), journal);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where it tells what it does. */
    public Path journal() {
        return journal;
    }

    /** The number by which its writes are known. */
    public long pid() {
        return process.pid();
    }

    /** Freezes it, as a long pause of its host would. */
    public void freeze() throws InterruptedException {
        ProcessSignals.freeze(process);
        frozen = true;
    }

    /** Ends {@link #freeze}. */
    public void thaw() {
        if (frozen) {
            ProcessSignals.resume(process);
            frozen = false;
        }
    }

    /** Ends it without a chance to clean up, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it release what it holds, close its client and end; or close while it holds. False if it does not end. */
    public boolean end(boolean release) throws InterruptedException {
        try (OutputStream input = process.getOutputStream()) {
            String word = release ? WorkerProgram.STOP : WorkerProgram.CLOSE;
            input.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
            return process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException endedAlready) {
            return process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
