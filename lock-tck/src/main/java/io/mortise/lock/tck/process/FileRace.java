// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import static io.mortise.lock.tck.scene.Expect.safe;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lets threads of two processes increment a number in a file that only the lock protects, to show whether the lock
 * excludes them.
 */
public final class FileRace {
    private static final int THREADS = 3;

    private FileRace() {}

    /** Runs it and judges it; skips the case if the store lives in one JVM. */
    public static void run(Scene scene) throws Exception {
        Path file = Files.createTempFile("mortise-tck", ".count");
        scene.closeAtEnd(() -> Files.deleteIfExists(file));
        scene.closeAtEnd(() -> Files.deleteIfExists(go(file)));
        Files.writeString(file, digits(0));
        int rounds = scene.times(40, 10);
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            children.add(ChildJvm.start(scene, scene.lock("lock"), "count", file.toString(), String.valueOf(rounds)));
        }
        for (ChildJvm child : children) {
            child.awaitLine(scene, "READY");
        }
        Files.createFile(go(file));
        for (ChildJvm child : children) {
            child.awaitLine(scene, "COUNTED");
        }
        int expected = children.size() * THREADS * rounds;
        int counted = Integer.parseInt(Files.readString(file));
        safe(counted == expected, "of " + expected + " increments " + (expected - counted) + " were lost");
    }

    /** What each process does. */
    static void join(DistributedLock lock, Path file, int rounds) throws Exception {
        ChildProgram.say("READY");
        while (!Files.exists(go(file))) {
            Pause.of(Duration.ofMillis(5));
        }
        List<BackgroundTask<Boolean>> runners = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            runners.add(new BackgroundTask<>("count " + i, () -> {
                for (int round = 0; round < rounds; round++) {
                    try (Lease lease = ChildProgram.patiently(lock)) {
                        increment(file);
                        lease.ensureHeld();
                    }
                    // Outside for a while, so that the other process gets in between.
                    Pause.of(Duration.ofMillis(3));
                }
                return true;
            }));
        }
        for (BackgroundTask<Boolean> runner : runners) {
            runner.get(Duration.ofMinutes(2));
        }
        ChildProgram.say("COUNTED");
    }

    /** There once both may begin: a process that begins before the other races against nobody. */
    private static Path go(Path file) {
        return file.resolveSibling(file.getFileName() + ".go");
    }

    /** In place and always as long, so that a lock that lets two in loses increments and nothing else. */
    private static void increment(Path file) throws IOException, InterruptedException {
        int next = Integer.parseInt(Files.readString(file)) + 1;
        Pause.of(Duration.ofMillis(1));
        Files.writeString(file, digits(next), StandardOpenOption.WRITE);
    }

    private static String digits(int number) {
        return String.format(Locale.ROOT, "%09d", number);
    }
}
