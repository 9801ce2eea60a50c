// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Consumer;

/** A port that is listened on, and the thread that does so. */
final class Listener implements AutoCloseable {
    private static final int BACKLOG = 1000;

    private final ServerSocket socket;
    private final Thread thread;

    private Listener(ServerSocket socket, Consumer<Socket> onConnection) {
        this.socket = socket;
        thread = TcpProxy.daemon("accept", () -> accept(socket, onConnection));
    }

    /** Waits while the port is taken: its last listener lives on for a moment in a process that is being started. */
    static Listener open(InetSocketAddress address, Consumer<Socket> onConnection) {
        return new Listener(
                Patience.awaitAnswer("free to listen on " + address, () -> Optional.of(bound(address)), () -> ""),
                onConnection);
    }

    /** Connections are refused on return: the kernel listens until the thread has left its call. */
    @Override
    public void close() {
        try {
            socket.close();
            thread.join();
        } catch (IOException closedAnyway) {
            // nobody listens any more
        } catch (InterruptedException interrupt) {
            throw Interrupted.during("closing a port");
        }
    }

    private static ServerSocket bound(InetSocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    private static void accept(ServerSocket socket, Consumer<Socket> onConnection) {
        try {
            while (true) {
                onConnection.accept(socket.accept());
            }
        } catch (IOException closed) {
            // the end
        }
    }
}
