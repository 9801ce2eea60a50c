// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the locks protect: takes a write with a fencing token if no higher token has written to the same name before. No fault
 * reaches it. Thread-safe.
 */
public final class GuardedPlace implements AutoCloseable {
    /** A write that arrived: when, to what, under which attempt and token, and whether it was taken. */
    public record Write(long at, String name, String attempt, long token, boolean taken) {}

    private static final byte[] TAKEN = "1\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REFUSED = "0\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final Map<String, Long> highest = new HashMap<>();
    private final List<Write> writes = new ArrayList<>();

    /** Begins to listen on this machine. */
    public GuardedPlace() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        start(this::accept);
    }

    /** Where writers connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /** All writes in the order of their arrival. */
    public synchronized List<Write> writes() {
        return List.copyOf(writes);
    }

    /** Takes or refuses a write. */
    public synchronized boolean write(String name, String attempt, long token) {
        boolean taken = token >= highest.getOrDefault(name, 0L);
        if (taken) {
            highest.put(name, token);
        }
        writes.add(new Write(System.nanoTime(), name, attempt, token, taken));
        return taken;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket writer = server.accept();
                writer.setTcpNoDelay(true);
                start(() -> serve(writer));
            }
        } catch (IOException closed) {
            // as was asked for
        }
    }

    private void serve(Socket writer) {
        try (writer;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                boolean taken = write(words[0], words[1], Long.parseLong(words[2]));
                writer.getOutputStream().write(taken ? TAKEN : REFUSED);
            }
        } catch (IOException gone) {
            // It was killed.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "guarded place");
        thread.setDaemon(true);
        thread.start();
    }
}
