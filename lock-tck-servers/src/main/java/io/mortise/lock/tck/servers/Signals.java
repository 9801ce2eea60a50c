// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Signals to a process and to all that descend from it. */
final class Signals {
    private Signals() {}

    static void send(String signal, Process process) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", signal));
        // The process first: it then makes no more children.
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(handle -> String.valueOf(handle.pid()))
                .forEach(command::add);
        CommandResult result = CommandResult.of(new ProcessBuilder(command));
        if (result.status() != 0 && process.isAlive()) {
            throw new IllegalStateException("cannot send " + signal + ": " + result);
        }
    }

    /** Waits until the kernel has stopped a process that was sent SIGSTOP: until then it may still answer. */
    static void awaitStopped(Process process) throws InterruptedException {
        while (!isStopped(process.pid())) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("ended with status " + process.exitValue() + " instead of stopping");
            }
        }
    }

    /** The state follows the name, which is in parentheses and may hold anything. */
    private static boolean isStopped(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            return line.startsWith("T", line.lastIndexOf(')') + 2);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
