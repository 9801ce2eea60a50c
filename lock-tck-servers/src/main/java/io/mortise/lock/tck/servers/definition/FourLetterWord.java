// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends one of ZooKeeper's "four letter words", commands such as {@code ruok} that a server answers without a session. */
public final class FourLetterWord {
    private static final int LIMIT_MILLIS = 1_000;

    private FourLetterWord() {}

    /**
     * Sends a command on a connection of its own.
     *
     * @param host where the server listens
     * @param port where it listens for clients
     * @param word the command
     * @return all that the server answers
     * @throws IOException if it does not answer within a second
     */
    public static String ask(String host, int port, String word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
