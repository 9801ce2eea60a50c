// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The store that is used if none is chosen: a SQLite file of the user's own, which all of the user's processes on this
 * host share. {@code docs/command.md} tells users where it is.
 */
public final class DefaultStore {
    /** Nobody holds a lock of a store that is not there yet. */
    private static final String NO_LOCKS = "memory:no-locks";

    private DefaultStore() {}

    /** The path of the file for people, or that there is none. */
    public static String description() {
        return file().map(Path::toString).orElse("of the home directory, which this user does not have");
    }

    /** The file; empty for a user without a home directory, as in a container. */
    static Optional<Path> file() {
        return folder("STATE_DIRECTORY")
                .or(() -> folder("XDG_STATE_HOME"))
                .or(() -> isRoot() ? Optional.of(Path.of("/var/lib")) : Optional.empty())
                .or(() -> folder("HOME")
                        .or(() -> absolute(System.getProperty("user.home")))
                        .map(home -> home.resolve(Path.of(".local", "state"))))
                .map(state -> state.resolve(Path.of("mortise", "locks.db")));
    }

    private static Optional<Path> folder(String variable) {
        String value = System.getenv(variable);
        // systemd names several after a colon
        return value == null ? Optional.empty() : absolute(value.split(":", 2)[0]);
    }

    private static Optional<Path> absolute(String folder) {
        return folder.startsWith("/") ? Optional.of(Path.of(folder)) : Optional.empty();
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
            return "root".equals(System.getProperty("user.name"));
        }
    }

    /** The URL of the file, whose folders are made if they are missing, for this user alone. */
    static String url() {
        Path file = fileOrFail();
        try {
            Files.createDirectories(file.getParent(), mode("rwx------"));
        } catch (IOException failure) {
            throw new LockConfigurationException(
                    "the folder of the default store " + file + " cannot be made (" + failure
                            + "); name another store with --store or MORTISE_STORE",
                    failure);
        }
        return url(file);
    }

    /** The URL to look at locks, for which nothing is made. */
    static String urlToLook() {
        Path file = fileOrFail();
        return Files.notExists(file) ? NO_LOCKS : url(file);
    }

    private static Path fileOrFail() {
        return file().orElseThrow(() -> new LockConfigurationException(
                "there is no default store, because this user has no home directory; name a store with --store or"
                        + " MORTISE_STORE, or set HOME"));
    }

    private static String url(Path file) {
        String escaped = file.toUri().getRawPath();
        return "jdbc:sqlite:file:" + escaped + "?mortise.privateFile=true";
    }

    private static FileAttribute<?>[] mode(String permissions) {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
