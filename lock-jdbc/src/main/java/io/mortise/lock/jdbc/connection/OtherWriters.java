// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds out from owners and permissions whether other users can write a file, or put another in its place: through a folder
 * that leads to it, or through one that leads to a link. Where there are no such permissions, it finds nothing.
 */
final class OtherWriters {
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 020;
    private static final int ALL_WRITE = 02;
    private static final int ROOT = 0;

    /** Whether the group and owners other than root count, and not only everybody. */
    private final boolean anyOther;

    private final int self;

    private OtherWriters(boolean anyOther) throws IOException {
        this.anyOther = anyOther;
        Path process = Path.of("/proc/self");
        self = attribute(Files.exists(process) ? process : Path.of(System.getProperty("user.home")), "uid");
    }

    private static int attribute(Path path, String name) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:" + name);
    }

    /**
     * Why others can write or replace a file that is there, and what to do; empty if they cannot.
     *
     * @param anyOther whether it counts what the file's group and the owners of folders can do; else only what everybody can
     */
    static Optional<String> of(Path file, boolean anyOther) {
        if (!SqliteFile.hasPosixAttributes()) {
            return Optional.empty();
        }
        try {
            return new OtherWriters(anyOther).walk(file, SqliteFile.MOST_LINKS);
        } catch (IOException unknown) {
            return anyOther ? Optional.of("who can write it is not known (" + unknown + ")") : Optional.empty();
        }
    }

    private Optional<String> walk(Path path, int linksLeft) throws IOException {
        Path place = path.getRoot();
        int left = path.getNameCount();
        Optional<String> danger = look(place, false);
        for (Path name : path) {
            place = place.resolve(name);
            left--;
            if (danger.isEmpty() && Files.isSymbolicLink(place) && linksLeft > 0) {
                danger = walk(place.resolveSibling(Files.readSymbolicLink(place)), linksLeft - 1);
            } else if (danger.isEmpty()) {
                danger = look(place, left > 1);
            }
        }
        return danger;
    }

    /** In a folder with the sticky bit nobody can replace what another owns; but its log can be put beside a database. */
    private Optional<String> look(Path place, boolean leadsToFolder) throws IOException {
        int mode = attribute(place, "mode");
        int owner = attribute(place, "uid");
        if (anyOther && owner != ROOT && owner != self) {
            return Optional.of(place + " belongs to another user; use a path that does not lead through it");
        }
        boolean groupIsOwn = attribute(place, "gid") == self;
        int writers = mode & (anyOther && !groupIsOwn ? GROUP_WRITES | ALL_WRITE : ALL_WRITE);
        return writers == 0 || (leadsToFolder && (mode & STICKY) != 0)
                ? Optional.empty()
                : Optional.of(place + " can be written by others; say: chmod go-w " + place);
    }
}
