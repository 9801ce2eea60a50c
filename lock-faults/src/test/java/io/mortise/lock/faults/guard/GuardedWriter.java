// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One thread's connection to a {@link GuardedPlace}. Not thread-safe. */
public final class GuardedWriter implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader answers;

    /** Connects to a place of this machine. */
    public GuardedWriter(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Writes, and answers whether the place has taken it. */
    public boolean write(String name, String attempt, long token) throws IOException {
        String line = name + " " + attempt + " " + token + "\n";
        socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
        return "1".equals(answers.readLine());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
