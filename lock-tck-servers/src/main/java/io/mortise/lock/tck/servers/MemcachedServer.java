// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.definition.MemcachedDefinition;
import io.mortise.lock.tck.servers.definition.SaslMemcachedDefinition;
import io.mortise.lock.tck.servers.definition.SaslPasswordServer;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.ClientSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A memcached server that a test starts. */
public final class MemcachedServer extends ForwardingServer {
    /** How long one that keeps its items must have been down: it does not trust a file that it wrote a moment ago. */
    public static final Duration LEAST_PAUSE = Duration.ofSeconds(3);

    private static final int REPLY_MILLIS = 10_000;

    private final @Nullable SaslPasswordServer passwords;

    private MemcachedServer(ServerDefinition definition, @Nullable SaslPasswordServer passwords) {
        super(definition);
        this.passwords = passwords;
    }

    /**
     * Starts one that forgets everything when it ends.
     *
     * @param arguments of {@code memcached}, after those that set address and port, such as {@code "-m", "8"}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code memcached}, none can be fetched, and no Docker engine answers
     */
    public static MemcachedServer start(String... arguments) {
        return new MemcachedServer(new MemcachedDefinition(false, List.of(arguments)), null);
    }

    /**
     * Starts one whose items outlive {@link #stop()}, if {@link #LEAST_PAUSE} lies between it and {@link #restart()}.
     *
     * @param arguments of {@code memcached}, after those that set address, port and the file of the items
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code memcached}, none can be fetched, and no Docker engine answers
     */
    public static MemcachedServer startRestartable(String... arguments) {
        return new MemcachedServer(new MemcachedDefinition(true, List.of(arguments)), null);
    }

    /**
     * Starts one that asks for a user and a password (SASL PLAIN) and forgets everything when it ends. It speaks the binary protocol
     * only.
     *
     * @param user the one user
     * @param password the user's password
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code memcached}, and none can be fetched
     */
    public static MemcachedServer startWithPassword(String user, String password) {
        SaslPasswordServer passwords = new SaslPasswordServer(user, password);
        try {
            return new MemcachedServer(new SaslMemcachedDefinition(passwords.socket()), passwords);
        } catch (RuntimeException failure) {
            passwords.close();
            throw failure;
        }
    }

    /**
     * Its URL.
     *
     * @return {@code memcached://HOST:PORT}, without user and password
     */
    public String url() {
        return "memcached://" + host() + ":" + port();
    }

    /** Removes all items. */
    public void flush() {
        command("flush_all");
    }

    /**
     * Runs a command of the text protocol on a connection of its own. Not for servers with SASL.
     *
     * @param command such as {@code get name}; for one with a value, the value after a line break
     * @return the lines of the reply, {@code END} included
     * @throws UncheckedIOException if the server does not answer
     */
    public List<String> command(String command) {
        try (Socket socket = ClientSocket.connect(host(), port(), REPLY_MILLIS);
                BufferedReader replies = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
            // The reply to "mn" is MN, and comes last: no need to know how each reply ends.
            String lines = command.replace("\n", "\r\n") + "\r\nmn\r\n";
            socket.getOutputStream().write(lines.getBytes(StandardCharsets.ISO_8859_1));
            List<String> reply = new ArrayList<>();
            for (String line = replies.readLine(); !"MN".equals(line); line = replies.readLine()) {
                if (line == null) {
                    throw new IOException("memcached closed the connection after " + reply);
                }
                reply.add(line);
            }
            return reply;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * What it counts and how it is set up.
     *
     * @return values by name, such as {@code evictions}
     */
    public Map<String, String> stats() {
        Map<String, String> stats = new TreeMap<>();
        for (String line : command("stats")) {
            String[] words = line.split(" ", 3);
            if (words.length == 3) {
                stats.put(words[1], words[2]);
            }
        }
        return stats;
    }

    /**
     * One of its counters.
     *
     * @param name such as {@code evictions}
     * @return its value
     * @throws IllegalArgumentException if there is no such counter
     */
    public long counter(String name) {
        return Long.parseLong(stats().getOrDefault(name, name));
    }

    @Override
    public void close() {
        super.close();
        if (passwords != null) {
            passwords.close();
        }
    }
}
