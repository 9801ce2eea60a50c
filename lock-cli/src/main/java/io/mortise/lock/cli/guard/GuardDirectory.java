// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A private temporary directory with the guard process's script and the socket to which the guard connects; removed
 * when it is closed.
 */
final class GuardDirectory implements Closeable {
    private static final String SCRIPT = "guard.pl";

    /** The longest path of a Unix socket is 107 bytes. */
    private static final int ROOM = 107 - "/mortise-1234567890123456789/socket".length();

    final Path script;
    final Path socket;
    private final Path directory;
    private final ServerSocketChannel server;

    GuardDirectory() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        Path parent = temporary.toString().length() <= ROOM ? temporary : Path.of("/tmp");
        directory = Files.createTempDirectory(parent, "mortise-"); // mode 0700
        script = directory.resolve(SCRIPT);
        socket = directory.resolve("socket");
        try {
            try (InputStream source = GuardDirectory.class.getResourceAsStream(SCRIPT)) {
                Files.copy(Objects.requireNonNull(source, SCRIPT), script);
            }
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException | RuntimeException failure) {
            remove();
            throw failure;
        }
    }

    GuardChannel accept() throws IOException {
        return new GuardChannel(server.accept());
    }

    /** Makes a waiting {@link #accept} fail, from any thread. */
    void giveUp() {
        try {
            server.close();
        } catch (IOException closed) {
            // It is closed either way.
        }
    }

    private void remove() throws IOException {
        Files.deleteIfExists(socket);
        Files.deleteIfExists(script);
        Files.deleteIfExists(directory);
    }

    @Override
    public void close() throws IOException {
        giveUp();
        remove();
    }
}
