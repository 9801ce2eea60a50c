// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;

/** The operating system user that a server runs as: that of this JVM, or {@code nobody}. */
enum ServerUser {
    /** The user that runs the tests. */
    SAME,

    /** The user without any rights. Given by number, because the name of its group differs between machines. */
    NOBODY;

    private static final int NUMBER = 65534;

    static ServerUser forServer(boolean refusesRoot) {
        return refusesRoot && isRoot() ? NOBODY : SAME;
    }

    /** The words to put before a command so that it runs as this user. */
    List<String> prefix() {
        return this == SAME
                ? List.of()
                : List.of("setpriv", "--reuid=" + NUMBER, "--regid=" + NUMBER, "--clear-groups", "--");
    }

    void give(Path directory) throws IOException {
        if (this == NOBODY) {
            Files.setAttribute(directory, "unix:uid", NUMBER);
            Files.setAttribute(directory, "unix:gid", NUMBER);
        }
    }

    /** The program itself; or a copy inside the directory, if this user cannot reach the program, such as below root's home. */
    ServerProgram reaching(ServerProgram program, Path directory) {
        if (this == SAME
                || program.root().isEmpty()
                || isOpenToAll(program.root().get())) {
            return program;
        }
        String original = program.root().get().toString();
        Path copy = directory.resolve("program");
        if (Files.exists(copy)) {
            return program.at(copy);
        }
        // Links where they are possible: they cost no time and no space.
        CommandResult result = CommandResult.of(new ProcessBuilder(
                "sh",
                "-c",
                "cp -al \"$1\" \"$2\" 2>/dev/null || { rm -rf \"$2\"; cp -a \"$1\" \"$2\"; }",
                "sh",
                original,
                copy.toString()));
        if (result.status() != 0) {
            throw new IllegalStateException("cannot copy " + original + ": " + result);
        }
        return program.at(copy);
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(ServerReaper.directory(), "unix:uid"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isOpenToAll(Path directory) {
        try {
            for (Path part = directory.toRealPath(); part != null; part = part.getParent()) {
                if (!Files.getPosixFilePermissions(part).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
