// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection that sends and receives text of a known length. */
public final class TestClient implements AutoCloseable {
    private final Socket socket;

    public TestClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
    }

    public void say(String word) throws IOException {
        socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
    }

    /** As many characters as asked for; fewer if the connection ends. */
    public String hear(int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    public String ask(String word) throws IOException {
        say(word);
        return hear(word.length());
    }

    /** Whether nothing comes for so long. */
    public boolean hearsNothing(Duration limit) throws IOException {
        socket.setSoTimeout((int) limit.toMillis());
        try {
            return socket.getInputStream().read() == -2;
        } catch (SocketTimeoutException nothing) {
            return true;
        } finally {
            socket.setSoTimeout(10_000);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
