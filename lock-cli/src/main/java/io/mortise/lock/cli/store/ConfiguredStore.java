// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.spi.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The file that names the store where no option and no variable does: the user's own, or else that of the host. */
final class ConfiguredStore {
    private ConfiguredStore() {}

    /** The places, the first first. */
    static List<Path> places(@Nullable String configHome, @Nullable String home) {
        String file = "mortise/store";
        Path ofTheHost = Path.of("/etc", file);
        if (configHome != null && configHome.startsWith("/")) {
            return List.of(Path.of(configHome, file), ofTheHost);
        }
        return home != null && home.startsWith("/")
                ? List.of(Path.of(home, ".config", file), ofTheHost)
                : List.of(ofTheHost);
    }

    /** The URL in the first file that there is; empty if there is none. */
    static Optional<String> url() {
        return url(places(System.getenv("XDG_CONFIG_HOME"), System.getenv("HOME")));
    }

    static Optional<String> url(List<Path> places) {
        for (Path place : places) {
            // Not for a file that may be there and cannot be seen: another store would be taken for it.
            if (!Files.notExists(place)) {
                String url = StoreOptions.firstLine(place, "the file that names the store", StoreOptions.URL);
                warnOfReaders(place, url);
                return Optional.of(url);
            }
        }
        return Optional.empty();
    }

    private static void warnOfReaders(Path file, String url) {
        try {
            if (!Secrets.of(url).mask(url).equals(url)
                    && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                Console.say("every user can read the password in " + Printable.of(file.toString()) + ": chmod o-r it");
            }
        } catch (IOException | UnsupportedOperationException noPermissions) {
            // Nothing to warn of.
        }
    }
}
