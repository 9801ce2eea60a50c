// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.definition.ZooKeeperDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.JvmClassPath;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.ClientSocket;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A ZooKeeper server that a test starts, alone or in a {@link ZooKeeperEnsemble}: a JVM of its own, with the class
 * path of this one unless told otherwise. It keeps its data over restarts.
 */
public final class ZooKeeperServer extends ForwardingServer {
    private static final int LIMIT_MILLIS = 1_000;

    ZooKeeperServer(ZooKeeperDefinition definition) {
        super(definition);
    }

    /**
     * Starts one that is alone, and waits until it serves.
     *
     * @param settings lines of {@code zoo.cfg} beside those for port, directory, a tick of 100 ms and sessions of up to a
     *     minute, such as {@code "tickTime=2000"}
     * @return the running server
     * @throws ServerUnavailableException if ZooKeeper is not on the class path
     */
    public static ZooKeeperServer start(String... settings) {
        return startWith(JvmClassPath.own(), settings);
    }

    /**
     * Starts one that is alone and may be of another version, and waits until it serves.
     *
     * @param classPath with the jars of a server
     * @param settings as in {@link #start}
     * @return the running server
     * @throws ServerUnavailableException if ZooKeeper is not on the class path of this JVM
     */
    public static ZooKeeperServer startWith(JvmClassPath classPath, String... settings) {
        ZooKeeperServer server =
                new ZooKeeperServer(new ZooKeeperDefinition(List.of(settings), Optional.empty(), classPath));
        server.awaitServing();
        return server;
    }

    /**
     * Where clients find it.
     *
     * @return {@code HOST:PORT}
     */
    public String connectString() {
        return host() + ":" + port();
    }

    /**
     * Its URL.
     *
     * @return {@code zookeeper://HOST:PORT}
     */
    public String url() {
        return "zookeeper://" + connectString();
    }

    /**
     * Its counters and its state, as the {@code mntr} command lists them: {@code zk_packets_received},
     * {@code zk_sum_node_deleted_watch_count}, {@code zk_server_state} and many more.
     *
     * @return values by name; empty if it does not serve now
     */
    public Map<String, String> monitor() {
        try (Socket connection = ClientSocket.connect(host(), port(), LIMIT_MILLIS)) {
            Map<String, String> values = new TreeMap<>();
            for (String line : ZooKeeperDefinition.ask(connection, "mntr").split("\n")) {
                String[] parts = line.split("\t", 2);
                if (parts.length == 2) {
                    values.put(parts[0], parts[1]);
                }
            }
            return values;
        } catch (IOException noAnswer) {
            return Map.of();
        }
    }

    /**
     * One of its counters.
     *
     * @param name such as {@code zk_packets_received}
     * @return its value
     * @throws IllegalStateException if the server does not serve, or does not count this
     */
    public long counter(String name) {
        String value = monitor().get(name);
        if (value == null) {
            throw new IllegalStateException("no counter " + name + "; the server says " + output());
        }
        return (long) Double.parseDouble(value);
    }

    /**
     * Whether it leads, follows or is alone.
     *
     * @return {@code leader}, {@code follower} or {@code standalone}; empty if it does not serve now
     */
    public Optional<String> role() {
        return Optional.ofNullable(monitor().get("zk_server_state"));
    }

    /** Waits until it serves; a minute, since machines that run tests are busy. */
    void awaitServing() {
        new Polling(this::output).until("ZooKeeper on port " + port() + " serves", () -> role().isPresent());
    }
}
