// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Signals to processes. */
final class Signals {
    private Signals() {}

    static void send(String signal, ProcessHandle process) {
        CommandResult result = CommandResult.of(
                new ProcessBuilder("sh", "-c", "kill -s \"$@\"", "sh", signal, String.valueOf(process.pid())));
        if (result.status() != 0 && process.isAlive()) {
            throw new IllegalStateException("cannot send " + signal + ": " + result);
        }
    }

    /** Stops a process and all that descend from it, and waits until the kernel has: until then they may still answer. */
    static void stop(Process process) throws InterruptedException {
        stop(process.toHandle(), process);
        // Now it makes no more children.
        for (ProcessHandle child : process.descendants().toList()) {
            stop(child, process);
        }
    }

    /** Lets a process and all that descend from it go on. */
    static void resume(Process process) {
        process.descendants().forEach(child -> send("CONT", child));
        send("CONT", process.toHandle());
    }

    private static void stop(ProcessHandle handle, Process process) throws InterruptedException {
        send("STOP", handle);
        while (!isStopped(handle)) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("ended with status " + process.exitValue() + " instead of stopping");
            }
        }
    }

    private static boolean isStopped(ProcessHandle process) {
        return state(process) == 'T' || isOver(process);
    }

    /**
     * Whether it has ended, though nobody may have asked for its status yet. Its first thread may have ended before others that
     * still hold its ports.
     */
    static boolean isOver(ProcessHandle process) {
        return switch (state(process)) {
            case 'X' -> true;
            case 'Z' -> threads(process) <= 1;
            default -> false;
        };
    }

    private static long threads(ProcessHandle process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
            return threads.count();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    /** The kernel's letter for it. It follows the name, which is in parentheses and may hold anything. */
    private static char state(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return 'X';
        }
    }
}
