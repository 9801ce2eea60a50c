// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.support.DaemonThread;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Checks passwords for servers with SASL, in place of the daemon saslauthd and with its protocol: four texts, each with its length
 * before it, are answered by {@code OK} or {@code NO}. Knows one user.
 */
public final class SaslPasswordServer implements AutoCloseable {
    private static final int FURTHER_TEXTS = 2;

    private final String user;
    private final String password;
    private final Path directory;
    private final ServerSocketChannel listener;

    public SaslPasswordServer(String user, String password) {
        this.user = user;
        this.password = password;
        try {
            directory = Files.createTempDirectory("mortise-sasl");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(socket()));
            Files.setPosixFilePermissions(socket(), PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        DaemonThread.start("SASL passwords", this::serve);
    }

    /** The path of the Unix socket that it listens on. */
    public Path socket() {
        return directory.resolve("mux");
    }

    private void serve() {
        while (listener.isOpen()) {
            try (SocketChannel question = listener.accept()) {
                answer(question);
            } catch (IOException closedOrBroken) {
                // the next, or none
            }
        }
    }

    private void answer(SocketChannel question) throws IOException {
        DataInputStream texts = new DataInputStream(Channels.newInputStream(question));
        String givenUser = text(texts);
        String givenPassword = text(texts);
        boolean right = givenUser.equals(user) && givenPassword.equals(password);
        for (int i = 0; i < FURTHER_TEXTS; i++) {
            text(texts);
        }
        byte[] reply = (right ? "\0\2OK" : "\0\2NO").getBytes(StandardCharsets.US_ASCII);
        question.write(ByteBuffer.wrap(reply));
    }

    private static String text(DataInputStream from) throws IOException {
        byte[] bytes = new byte[from.readUnsignedShort()];
        from.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            listener.close();
            Files.deleteIfExists(socket());
            Files.deleteIfExists(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
