// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The perl of this machine, which runs the guard process. */
record PerlInterpreter(String path) {
    /** Looks for the system's own first, because a perl in a home directory may change or disappear. */
    static PerlInterpreter find() throws GuardException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new GuardException(
                    "'mortise run' needs Linux: on " + System.getProperty("os.name")
                            + " nothing can end the command in time if mortise itself is stopped or killed",
                    null);
        }
        List<Path> places = new ArrayList<>();
        places.add(Path.of("/usr/bin/perl"));
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (directory.startsWith("/")) {
                places.add(Path.of(directory, "perl"));
            }
        }
        for (Path place : places) {
            if (Files.isExecutable(place) && !Files.isDirectory(place)) {
                return new PerlInterpreter(place.toString());
            }
        }
        throw new GuardException(
                "'mortise run' needs perl, which ends the command in time if mortise itself is stopped or killed: "
                        + "install it (Debian, Ubuntu: apt-get install perl-base; Fedora: dnf install perl; "
                        + "Alpine: apk add perl)",
                null);
    }

    /** Lets a stopped process continue. The JVM itself can send no signal but TERM and KILL. */
    void resume(long pid) {
        try {
            new ProcessBuilder(path, "-e", "kill CONT => $ARGV[0]", Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noProcess) {
            // Tried again soon; the watchdog does not depend on it.
        }
    }
}
