// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import io.mortise.lock.tck.servers.support.DaemonThread;
import io.mortise.lock.tck.servers.support.InterruptedWaitException;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Consumer;

/** Listens on a port of this machine and accepts connections with a thread of its own. */
final class Acceptor implements AutoCloseable {
    private static final int BACKLOG = 1000;

    private final ServerSocket socket;
    private final Thread thread;

    private Acceptor(ServerSocket socket, Consumer<Socket> onConnection) {
        this.socket = socket;
        thread = DaemonThread.start("proxy accept", () -> accept(socket, onConnection));
    }

    /** Waits while the port is taken: a process that is being started keeps the last listening socket open for a moment. */
    static Acceptor open(InetSocketAddress address, Consumer<Socket> onConnection) {
        ServerSocket socket =
                new Polling(() -> "").untilPresent("free to listen on " + address, () -> Optional.of(bound(address)));
        return new Acceptor(socket, onConnection);
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
            throw InterruptedWaitException.during("closing a port");
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
