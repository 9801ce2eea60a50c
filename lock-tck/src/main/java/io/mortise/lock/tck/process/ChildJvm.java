// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.SetUpFailure;
import io.mortise.lock.tck.time.StallMeter;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** A child JVM that runs {@link ChildProgram}, to be killed, stopped or frozen. Killed when the scene ends. Thread-safe. */
@SuppressWarnings("try") // close() waits, and a cancelled case need not
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Duration lease;
    private final Thread output;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private boolean frozen;
    private long frozenSince;
    private long frozenBefore;

    private ChildJvm(Process process, Duration lease) {
        this.process = process;
        this.lease = lease;
        output = new Thread(this::read, "tck child reader");
        output.setDaemon(true);
        output.start();
    }

    /** Whether a child JVM can open the store of a scene; false if the store lives in one JVM. */
    public static boolean canOpen(Scene scene) {
        return !scene.store().isEmpty();
    }

    /** Starts one for a task of {@link ChildProgram}; skips the case if the store lives in one JVM. */
    public static ChildJvm start(Scene scene, String lock, String... task) throws IOException {
        return start(scene, Map.of(), lock, task);
    }

    /** Like {@link #start(Scene, String, String...)}, with variables besides those of this JVM. */
    public static ChildJvm start(Scene scene, Map<String, String> environment, String lock, String... task)
            throws IOException {
        if (!canOpen(scene)) {
            throw new TestAbortedException("skipped: the store lives in one JVM; to enable the case, let store() name a"
                    + " store that other processes can open");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(ChildPaths.of(ChildProgram.class, scene.tested().getClass()));
        command.addAll(List.of(
                scene.tested().getClass().getName(),
                lock,
                String.valueOf(scene.lease().toMillis())));
        command.addAll(List.of(task));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectInput(Redirect.PIPE);
        builder.environment().putAll(environment);
        Process process = builder.start();
        ChildJvm child = new ChildJvm(process, scene.lease());
        scene.closeAtEnd(child);
        // Its name may have a password, and everybody on this host can read the arguments of a process.
        try {
            DataOutputStream input = new DataOutputStream(process.getOutputStream());
            input.writeUTF(scene.store());
            input.flush();
        } catch (IOException hasEnded) {
            // Whoever awaits its first line tells what it said.
        }
        return child;
    }

    /** Waits until the child has said a line that begins with a word; fails the case if it does not. */
    public void awaitLine(Scene scene, String word) throws InterruptedException {
        awaitLines(scene, word, 1);
    }

    /** Like {@link #awaitLine}, for so many such lines. */
    public void awaitLines(Scene scene, String word, long times) throws InterruptedException {
        Duration patience = scene.limit().plusSeconds(20);
        long start = System.nanoTime();
        while (count(word) < times) {
            if (!process.isAlive() && count(word) < times && System.nanoTime() - start > 1_000_000_000L) {
                throw failure("ended without saying " + word);
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                throw failure("did not say " + word);
            }
            scene.pass(Duration.ofMillis(5));
        }
    }

    /** As long as it has not opened the store, nothing is known about the lock. */
    private AssertionError failure(String what) {
        return count(ChildProgram.OPENED) > 0
                ? new AssertionError("the child JVM " + what + "; it said " + tail())
                : new SetUpFailure(
                        "a child JVM did not open the store. It must have the same classes as this one, and open() must need"
                                + " nothing but the name of the store. It " + what + ", and it said " + tail(),
                        null);
    }

    /** How many lines that begin with a word the child has said so far. */
    public long count(String word) {
        return lines.stream().filter(line -> line.startsWith(word)).count();
    }

    /** The numbers behind a word, of each line of the child that begins with it and is whole. */
    public List<long[]> numbers(String word) {
        return lines.stream()
                .filter(line -> line.startsWith(word + " ") && line.endsWith(";"))
                .map(line -> Arrays.stream(line.substring(0, line.length() - 1).split(" "))
                        .skip(1)
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
    }

    /** Puts into the history when the child has worked, under the name {@code who}; answers how often it has. */
    public int tell(Scene scene, String who, String lock) {
        List<long[]> works = numbers("INSIDE");
        works.forEach(work -> scene.history().worked(who, lock, work[0], work[1], work[2]));
        return works.size();
    }

    /** Asks it to end, as a service is asked that is updated, and waits for its end. */
    public void stop() throws InterruptedException {
        process.destroy();
        process.waitFor();
        output.join();
    }

    /** Ends it without a chance to clean up, as {@code kill -9} does, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        output.join();
    }

    /** Freezes it, as a long pause of its host would. */
    public synchronized void freeze() throws InterruptedException {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            throw new TestAbortedException("skipped: processes cannot be frozen here; run the suite on Linux or macOS");
        }
        frozenSince = System.nanoTime();
        ProcessSignals.freeze(process);
        frozen = true;
    }

    /** Ends {@link #freeze()}. */
    public synchronized void thaw() {
        ProcessSignals.resume(process);
        frozenBefore = frozenNanos();
        frozen = false;
    }

    /** Rather too much than too little: from before each freeze until after its end. */
    private synchronized long frozenNanos() {
        return frozenBefore + (frozen ? System.nanoTime() - frozenSince : 0);
    }

    private synchronized boolean isFrozen() {
        return frozen;
    }

    /** Asks it first how it was: a case may have failed because it stands still, which it cannot have said yet. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            if (!lines.isEmpty() && !isFrozen()) {
                process.getOutputStream().close();
                if (!process.waitFor(lease.toNanos(), TimeUnit.NANOSECONDS)) {
                    StallMeter.add(lease.toNanos());
                }
            }
        } finally {
            process.destroyForcibly().onExit().join();
            output.join(lease.toMillis());
        }
    }

    /** For how many nanoseconds it stood still, by its own account, and without what the case wanted. */
    long stood() {
        long said = numbers(ChildProgram.STOOD).stream()
                .mapToLong(stall -> stall[0])
                .sum();
        return Math.max(0, said - frozenNanos());
    }

    private List<String> tail() {
        return lines.subList(Math.max(0, lines.size() - 20), lines.size());
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException killed) {
            lines.add("(the output ended: " + killed.getMessage() + ")");
        }
        StallMeter.add(stood());
    }
}
