// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Hands the standard input and output of this process over to the command, and refuses to if one is closed. */
final class StandardStreams {
    private StandardStreams() {}

    /** Refuses closed streams. The JVM opens its own files in their places: the command would read or write the JDK. */
    static void check() throws GuardException {
        try {
            Path jdk = Path.of(System.getProperty("java.home")).toRealPath();
            for (int descriptor = 0; descriptor <= 2; descriptor++) {
                Path link = Path.of("/proc/self/fd/" + descriptor);
                if (!Files.isSymbolicLink(link) || Files.readSymbolicLink(link).startsWith(jdk)) {
                    throw new GuardException(
                            "standard input, output or error is closed: redirect it from or to /dev/null", null);
                }
            }
        } catch (IOException noProc) {
            throw new GuardException("'mortise run' needs /proc: " + noProc.getMessage(), noProc);
        }
    }

    /** Closes them here, so that no reader waits for this process to close them. The JVM puts /dev/null in their place. */
    static void leave() throws IOException {
        System.in.close();
        System.out.close();
    }
}
