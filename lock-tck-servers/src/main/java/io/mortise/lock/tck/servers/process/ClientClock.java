// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Gives one child process a wrong time of day, by means of libfaketime, so that a test has a client whose clock is
 * ahead or behind.
 */
public final class ClientClock {
    private static final String LIBRARY = "libfaketimeMT.so.1";

    private ClientClock() {}

    /**
     * Sets the clock of programs that are started with an environment. Their monotonic clocks are the machine's. Fetches
     * libfaketime where it is missing and Debian's package tools are there.
     *
     * @param ahead by how much; negative if the clock is slow; to the millisecond
     * @return the variables
     * @throws ServerUnavailableException if libfaketime is not here and cannot be fetched
     */
    public static Map<String, String> environment(Duration ahead) {
        return Map.of(
                "LD_PRELOAD",
                library(ServerProgram.find("faketime").path()).toString(),
                "FAKETIME",
                offset(ahead),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Else waits for a time by the monotonic clock, which are all of a JVM's, end at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    /** The library is where its package puts it: in the directory for libraries beside that of the program. */
    private static Path library(Path program) {
        Path libraries = program.resolveSibling("../lib").normalize();
        try (DirectoryStream<Path> below = Files.newDirectoryStream(libraries)) {
            for (Path directory : below) {
                Path library = directory.resolve("faketime").resolve(LIBRARY);
                if (Files.exists(library)) {
                    return library;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        throw new ServerUnavailableException("no " + LIBRARY + " below " + libraries + ", though there is " + program
                + "; install the package faketime");
    }

    private static String offset(Duration ahead) {
        return (ahead.isNegative() ? "-" : "+") + ahead.abs().toMillis() / 1_000.0;
    }
}
