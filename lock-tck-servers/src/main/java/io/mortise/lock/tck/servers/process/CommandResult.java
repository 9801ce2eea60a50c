// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.tck.servers.support.InterruptedWaitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The exit status and the output of a command. */
record CommandResult(int status, String out, String err) {
    private static final Redirect NOTHING = Redirect.from(Path.of("/dev/null").toFile());

    /** Runs a command to its end; ends it if this thread is interrupted. */
    static CommandResult of(ProcessBuilder command) {
        try {
            // A file, not a pipe: the command may leave a process behind that keeps a pipe open.
            Path err = Files.createTempFile("mortise", ".err");
            try {
                Process process = command.redirectInput(NOTHING)
                        .redirectError(err.toFile())
                        .start();
                try {
                    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    return new CommandResult(process.waitFor(), out, Files.readString(err));
                } finally {
                    process.destroy();
                }
            } finally {
                Files.delete(err);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during(String.join(" ", command.command()));
        }
    }

    @Override
    public String toString() {
        return "status " + status + ", " + (out + err).strip();
    }
}
