// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.support.ClientSocket;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to a Redis server over one connection, so that a test can inspect the server without the client
 * library under test. Not thread-safe.
 */
public final class RedisConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /**
     * Connects.
     *
     * @param host the server's host
     * @param port the server's port
     * @throws IOException if nobody listens there
     */
    public RedisConnection(String host, int port) throws IOException {
        this(host, port, TIMEOUT_MILLIS);
    }

    RedisConnection(String host, int port, int timeoutMillis) throws IOException {
        this(ClientSocket.connect(host, port, timeoutMillis));
    }

    /** Sends over a connection that is there already, and closes it at the end. */
    RedisConnection(Socket socket) throws IOException {
        this.socket = socket;
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
    }

    /**
     * Sends a command and waits for its reply, at most five seconds.
     *
     * @param words the command and its arguments
     * @return a {@code String}, a {@code Long}, a {@code List} of replies, or null
     * @throws RedisErrorException if the server answers with an error
     * @throws IOException if it does not answer
     */
    public @Nullable Object command(String... words) throws IOException {
        out.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        out.flush();
        return reply();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private @Nullable Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisErrorException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("not a reply of Redis: " + line);
        };
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> replies = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            replies.add(reply());
        }
        return replies;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server has closed the connection");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
