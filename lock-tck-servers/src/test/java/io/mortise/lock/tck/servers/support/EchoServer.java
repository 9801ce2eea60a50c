// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Sends back what it receives, with a thread for each connection. */
public final class EchoServer implements AutoCloseable {
    private final ServerSocket listener;
    private final AtomicLong heard = new AtomicLong();
    private final Thread acceptor;

    public EchoServer() throws IOException {
        this(0);
    }

    /** On a port that somebody else has chosen. */
    public EchoServer(int port) throws IOException {
        this(new ServerSocket(port, 50, InetAddress.getLoopbackAddress()));
    }

    private EchoServer(ServerSocket listener) {
        this.listener = listener;
        acceptor = daemon(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The number of bytes that have arrived. */
    public long heard() {
        return heard.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join(); // until it has left its call the kernel still listens
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("closing a port");
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                daemon(() -> echo(client));
            }
        } catch (IOException closed) {
            // the end
        }
    }

    private void echo(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            byte[] chunk = new byte[1024];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                heard.addAndGet(length);
                client.getOutputStream().write(chunk, 0, length);
            }
        } catch (IOException reset) {
            // the end of this one
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "echo");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The same as a program: listens on the port that its first argument names. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        new EchoServer(Integer.parseInt(arguments[0]));
        Thread.currentThread().join();
    }
}
