// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/** What tests ask of the operating system. */
final class Processes {
    /** For conditions that hold soon on any machine; never waited for in full when all is well. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private Processes() {}

    static void signal(String name, long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                    .inheritIO()
                    .start();
            assertThat(shell.waitFor()).as("kill -%s %d", name, pid).isZero();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Neither gone nor a zombie. */
    static boolean isAlive(long pid) {
        String stat = read(Path.of("/proc/" + pid + "/stat"));
        return !stat.isEmpty() && !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    }

    /** Waits for a process to write its id, or another number, into a file. */
    static long number(Path file) {
        until(() -> read(file).endsWith("\n"));
        return Long.parseLong(read(file).trim());
    }

    static void until(Callable<Boolean> condition) {
        until(condition, PATIENCE);
    }

    static void until(Callable<Boolean> condition, Duration atMost) {
        await().atMost(atMost).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    static void untilGone(long pid) {
        until(() -> !isAlive(pid));
    }

    static String read(Path file) {
        try {
            return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
        } catch (IOException gone) {
            return "";
        }
    }
}
