// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directory of one server, with its data and its output. */
record ServerDirectory(Path path, ServerUser user) {
    private static final int TAIL = 4096;

    static ServerDirectory create(String name, ServerUser user) {
        try {
            Path path = Files.createTempDirectory(ServerReaper.directory(), name + "-");
            user.give(path);
            return new ServerDirectory(path, user);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Path data() {
        return path.resolve("data");
    }

    Path log() {
        return path.resolve("output");
    }

    /** Removes the data and leaves an empty directory for it. */
    void empty() throws IOException {
        removeTree(data());
        Files.createDirectory(data());
        user.give(data());
    }

    /** The end of the server's output. */
    String output() {
        try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
            file.seek(Math.max(0, file.length() - TAIL));
            byte[] bytes = new byte[TAIL];
            int length = file.read(bytes);
            return length < 0 ? "" : new String(bytes, 0, length, StandardCharsets.UTF_8);
        } catch (IOException noOutput) {
            return "";
        }
    }

    void remove() {
        try {
            removeTree(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void removeTree(Path top) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(top)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException gone) {
            return;
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}
