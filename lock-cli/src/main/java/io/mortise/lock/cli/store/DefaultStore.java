// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The store that is used if none is chosen: a SQLite file of the user's own, which all of the user's processes on this
 * host share.
 */
public final class DefaultStore {
    private DefaultStore() {}

    /** The path of the file. */
    public static Path file() {
        String state = System.getenv("XDG_STATE_HOME");
        if (state != null && state.startsWith("/")) {
            return Path.of(state, "mortise", "locks.db");
        }
        String home = System.getenv("HOME");
        return Path.of(
                home != null && home.startsWith("/") ? home : System.getProperty("user.home"),
                ".local",
                "state",
                "mortise",
                "locks.db");
    }

    /** The URL of the file, which is created if it does not exist, so that no other user can read it. */
    static String url() throws IOException {
        Path file = file();
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent(), mode("rwx------"));
            try {
                Files.createFile(file, mode("rw-------"));
            } catch (FileAlreadyExistsException anotherWasFaster) {
                // The file exists, which is enough.
            }
        }
        return "jdbc:sqlite:" + file;
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
