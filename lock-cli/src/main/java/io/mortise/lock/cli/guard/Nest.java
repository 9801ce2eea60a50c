// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A private directory with the guard's script and the socket on which it calls back; gone once it has. */
final class Nest implements Closeable {
    /** The longest path of a Unix socket is 107 bytes. */
    private static final int ROOM = 107 - "/mortise-1234567890123456789/socket".length();

    final Path script;
    final Path socket;
    private final Path directory;
    private final ServerSocketChannel server;

    Nest() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        Path parent = temporary.toString().length() <= ROOM ? temporary : Path.of("/tmp");
        directory = Files.createTempDirectory(parent, "mortise-"); // mode 0700
        script = directory.resolve("guard.pl");
        socket = directory.resolve("socket");
        try {
            try (OutputStream copy = Files.newOutputStream(script)) {
                for (String part : new String[] {"guard.pl", "processes.pl"}) {
                    try (InputStream source = Nest.class.getResourceAsStream(part)) {
                        Objects.requireNonNull(source, part).transferTo(copy);
                    }
                }
            }
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException | RuntimeException failure) {
            remove();
            throw failure;
        }
    }

    Wire accept() throws IOException {
        return new Wire(server.accept());
    }

    /** Ends a waiting {@link #accept}, from any thread. */
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
