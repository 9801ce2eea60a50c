// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Creates the file of a SQLite database before the driver opens it. Only its user can read it, because it contains the
 * owner IDs of locks.
 */
final class SqliteFile {
    private static final String SCHEME = "jdbc:sqlite:";
    private static final String FILE = "file:";

    private final String path;

    private SqliteFile(String path) {
        this.path = path;
    }

    /** The file of a URL; empty if it is that of another database, or leaves the place to the driver. */
    static Optional<SqliteFile> of(String url) {
        if (!url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String path = url.substring(SCHEME.length()).split("\\?", 2)[0];
        return path.isEmpty() || path.startsWith(":") ? Optional.empty() : Optional.of(new SqliteFile(path));
    }

    /** Makes the file and its folders if they are missing. */
    void make() {
        try {
            create(file());
        } catch (IOException | InvalidPathException impossible) {
            throw new LockConfigurationException(
                    "the SQLite file " + path + " cannot be made: " + impossible, impossible);
        }
    }

    /**
     * What tells the file that is there now from others that had its name, or empty if there is none: a connection goes on
     * with a file that was removed, while others make a new one.
     */
    Optional<Object> key() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file(), BasicFileAttributes.class).fileKey());
        } catch (IOException | InvalidPathException missing) {
            return Optional.empty();
        }
    }

    private Path file() {
        return Path.of(path.startsWith(FILE) ? path.substring(FILE.length()) : path)
                .toAbsolutePath();
    }

    private static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder, attributes("rwx------"));
        }
        try {
            Files.createFile(file, attributes("rw-------"));
        } catch (FileAlreadyExistsException another) {
            return;
        }
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
