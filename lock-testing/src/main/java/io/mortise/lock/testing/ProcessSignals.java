// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Sends signals to processes, above all those that freeze them, as a long pause of a host does, and let them continue.
 * Linux and macOS have them.
 */
public final class ProcessSignals {
    private ProcessSignals() {}

    /**
     * Sends a signal. Harmless if the process has ended.
     *
     * @param signal its name, such as {@code TERM}
     * @param process who gets it
     * @throws IllegalStateException if it cannot be sent
     */
    public static void send(String signal, ProcessHandle process) {
        try {
            // The shell's own kill: not every image has the program.
            Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$@\"", "sh", signal, String.valueOf(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = kill.onExit().join().exitValue();
            if (status != 0 && process.isAlive()) {
                throw new IllegalStateException("cannot send " + signal + ": status " + status + ", " + output.strip());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Freezes a process and its descendants (SIGSTOP). On Linux, waits until the kernel has frozen them: until then
     * they may still answer.
     *
     * @param process what to freeze
     * @throws InterruptedException if this thread is interrupted
     * @throws IllegalStateException if the process ends instead
     */
    public static void freeze(Process process) throws InterruptedException {
        freeze(process.toHandle(), process);
        // Now it makes no more children.
        for (ProcessHandle child : process.descendants().toList()) {
            freeze(child, process);
        }
    }

    /**
     * Ends {@link #freeze}: the process and its descendants go on.
     *
     * @param process what to let go on
     */
    public static void resume(Process process) {
        process.descendants().forEach(child -> send("CONT", child));
        send("CONT", process.toHandle());
    }

    /**
     * {@return whether a process has ended with all its threads, as far as {@code /proc} tells; without {@code /proc}
     * always true} Its parent may not have asked for its status yet; and its first thread may have ended before others
     * that still hold its ports.
     *
     * @param process which
     */
    public static boolean hasEnded(ProcessHandle process) {
        return switch (state(process)) {
            case 'X' -> true;
            case 'Z' -> threads(process) <= 1;
            default -> false;
        };
    }

    private static void freeze(ProcessHandle handle, Process process) throws InterruptedException {
        send("STOP", handle);
        while (state(handle) != 'T' && !hasEnded(handle)) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("ended with status " + process.exitValue() + " instead of stopping");
            }
        }
    }

    private static long threads(ProcessHandle process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
            return threads.count();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    /** The kernel's letter for its state. It follows the name, which is in parentheses and may contain anything. */
    private static char state(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return 'X';
        }
    }
}
