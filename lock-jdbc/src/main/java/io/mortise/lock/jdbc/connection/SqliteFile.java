// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.sql.SqliteUrl;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file of a SQLite database. Creates it before the driver opens it, so that only its user can read it: it contains the
 * owner IDs of locks. Makes no folders, because a path with a mistake in it would become another store. Thread-safe.
 */
final class SqliteFile {
    private static final Logger LOG = System.getLogger(SqliteFile.class.getName());

    /** A longer chain of links is a circle. */
    static final int MOST_LINKS = 40;

    /** What this JVM has warned of already. */
    private static final Set<String> WARNINGS = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final boolean isRelative;
    private final boolean mayMake;
    private final boolean isPrivate;

    private SqliteFile(SqliteUrl url, boolean mayMake, boolean isPrivate) {
        file = url.file();
        isRelative = url.isRelative();
        this.mayMake = mayMake;
        this.isPrivate = isPrivate;
    }

    /**
     * The file of a URL; empty if it is that of another database. Looks at no file yet.
     *
     * @param mayMake whether to make it if it is missing
     * @param isPrivate whether to refuse a file that others can write or replace, of which there is a warning otherwise
     */
    static Optional<SqliteFile> of(String url, boolean mayMake, boolean isPrivate) {
        return SqliteUrl.of(url).map(place -> new SqliteFile(place, mayMake, isPrivate));
    }

    /** Warns once of a path that is another file in another working directory. */
    void warnIfRelative() {
        if (isRelative) {
            warn("the SQLite file of the locks is " + file + " only in this working directory; processes of other"
                    + " directories use another file, and other locks: write the absolute path");
        }
    }

    private static void warn(String sentence) {
        if (WARNINGS.add(sentence)) {
            LOG.log(Level.WARNING, sentence);
        }
    }

    /** Makes the file if it is missing; where it is a link, the file that the link names. */
    void makeIfMissing() {
        if (mayMake) {
            make(file, MOST_LINKS);
        }
    }

    /**
     * Checks the file before it is opened.
     *
     * @throws LockConfigurationException if locks cannot be kept in it
     */
    void check() {
        try {
            if (Files.readAttributes(file, BasicFileAttributes.class).isDirectory()) {
                throw new LockConfigurationException("the SQLite file " + file + " is a folder; name a file in it");
            }
            ensureOneName();
            ensureWritable();
        } catch (NoSuchFileException missing) {
            throw new LockConfigurationException(
                    "there is no SQLite file " + file + ", and this client makes none (mortise.createSchema=false);"
                            + " correct its path, or let another client make it",
                    missing);
        } catch (IOException unreachable) {
            throw unfit("cannot be looked at", unreachable);
        }
        OtherWriters.of(file, isPrivate).ifPresent(danger -> {
            String sentence = "other users can take or block the locks of the SQLite file " + file + ": " + danger;
            if (isPrivate) {
                throw new LockConfigurationException(sentence);
            }
            warn(sentence);
        });
    }

    /** SQLite makes the log of a file beside it. */
    private void ensureWritable() throws IOException {
        Path real = file.toRealPath();
        Path folder = real.getParent();
        boolean hasLog = Files.exists(real.resolveSibling(real.getFileName() + "-wal"));
        if (!Files.isReadable(real) || !Files.isWritable(real) || (!hasLog && !Files.isWritable(folder))) {
            throw new LockConfigurationException("this user may not write the SQLite file " + file
                    + ", or may not make files beside it; let this user write " + real + " and " + folder
                    + ", or name another file");
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

    private void make(Path name, int linksLeft) {
        if (Files.exists(name)) {
            return;
        }
        Path folder = name.getParent();
        try {
            if (Files.isSymbolicLink(name) && linksLeft > 0) {
                make(name.resolveSibling(Files.readSymbolicLink(name)), linksLeft - 1);
            } else if (folder != null && Files.notExists(folder)) {
                throw new LockConfigurationException(
                        "the SQLite file " + file + " cannot be made, because there is no folder " + folder
                                + "; correct the path, or make the folder");
            } else {
                Files.createFile(name, attributes("rw-------"));
            }
        } catch (FileAlreadyExistsException another) {
            // Another process was faster.
        } catch (IOException impossible) {
            throw unfit("cannot be made", impossible);
        }
    }

    private LockConfigurationException unfit(String what, IOException why) {
        String reason = why instanceof FileSystemException failure ? failure.getReason() : why.getMessage();
        String said =
                why instanceof AccessDeniedException ? "permission denied" : reason == null ? why.toString() : reason;
        return new LockConfigurationException(
                "the SQLite file " + file + " " + what + ": " + said
                        + "; let this user write it and its folder, or name another file",
                why);
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return hasPosixAttributes()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    static boolean hasPosixAttributes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    }
}
