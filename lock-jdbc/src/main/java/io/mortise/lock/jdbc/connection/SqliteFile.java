// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.sql.SqliteUrl;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
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
    /** A longer chain of links is a circle. */
    private static final int MOST_LINKS = 40;

    private final Path file;

    private SqliteFile(Path file) {
        this.file = file;
    }

    /** The file of a URL; empty if it is that of another database. */
    static Optional<SqliteFile> of(String url) {
        return SqliteUrl.of(url).map(place -> new SqliteFile(place.file()));
    }

    /** Makes the file and its folders if they are missing; where it is a link, the file that the link names. */
    void make() {
        try {
            create(file, MOST_LINKS);
            ensureOneName();
        } catch (IOException impossible) {
            throw new LockConfigurationException(
                    "the SQLite file " + file + " cannot be made: " + impossible, impossible);
        }
    }

    /** SQLite keeps the log of a file beside each of its names, so clients with different names would not see each other. */
    private void ensureOneName() throws IOException {
        if (hasPosixAttributes() && (Integer) Files.getAttribute(file, "unix:nlink") > 1) {
            throw new LockConfigurationException("the SQLite file " + file
                    + " has several names (hard links), and its clients by one name do not see those by another;"
                    + " leave it one name, and use symbolic links if others are needed");
        }
    }

    /**
     * What tells the file that is there now from others that had its name, or empty if there is none: a connection goes on
     * with a file that was removed, while others make a new one.
     */
    Optional<Object> key() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    private static void create(Path file, int linksLeft) throws IOException {
        if (Files.exists(file)) {
            if (Files.isDirectory(file)) {
                throw new IOException("it is a folder");
            }
            return;
        }
        if (Files.isSymbolicLink(file) && linksLeft > 0) {
            create(file.resolveSibling(Files.readSymbolicLink(file)), linksLeft - 1);
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
        return hasPosixAttributes()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasPosixAttributes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    }
}
