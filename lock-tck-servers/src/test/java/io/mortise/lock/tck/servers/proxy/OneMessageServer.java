// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import io.mortise.lock.tck.servers.support.DaemonThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that sends one message to one client and closes the connection. */
final class OneMessageServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

    OneMessageServer() throws IOException {
        DaemonThread.start("test", this::serve);
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve() {
        try (Socket client = listener.accept()) {
            client.getOutputStream().write("goodbye".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            // nobody came
        }
    }
}
