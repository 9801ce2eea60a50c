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

/** The file of a SQLite URL: made before the driver would, for its user alone, since it holds the owners of locks. */
public final class SqliteFile {
    private static final String SCHEME = "jdbc:sqlite:";
    private static final String FILE = "file:";

    private SqliteFile() {}

    /** Makes the file and its folders if they are missing; does nothing for other URLs. */
    public static void prepare(String url) {
        if (!url.startsWith(SCHEME)) {
            return;
        }
        String name = url.substring(SCHEME.length());
        String path = name.split("\\?", 2)[0];
        if (path.isEmpty() || name.contains(":memory:") || name.contains("mode=memory")) {
            throw new LockConfigurationException("every connection to a SQLite database in memory has a database of its"
                    + " own, so no lock would exclude anybody; name a file, or use memory:NAME");
        }
        if (path.startsWith(":")) {
            return;
        }
        try {
            create(file(path));
        } catch (IOException | InvalidPathException impossible) {
            throw new LockConfigurationException(
                    "the SQLite file " + path + " cannot be made: " + impossible, impossible);
        }
    }

    /**
     * What tells the file that is there now from others that had its name, or empty if there is none: a connection goes on
     * with a file that was removed, while others make a new one.
     */
    static Optional<Object> key(String url) {
        String path = url.startsWith(SCHEME) ? url.substring(SCHEME.length()).split("\\?", 2)[0] : "";
        if (path.isEmpty() || path.startsWith(":")) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file(path), BasicFileAttributes.class).fileKey());
        } catch (IOException | InvalidPathException missing) {
            return Optional.empty();
        }
    }

    private static Path file(String path) {
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
