// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static java.util.stream.Collectors.joining;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.RedisNodeDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Redis Cluster that a test starts: three masters, each with one replica. The nodes take each other for dead only
 * after 15 seconds, so that a busy machine does not cause a failover; except while {@link #awaitMasterOtherThan} waits
 * for just that.
 *
 * <p>Methods that wait do so for at most a minute, then throw {@link IllegalStateException}. Thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int NODES = 2 * MASTERS;
    private static final int SLOTS = 16_384;

    private static final String SLOW_FAILOVER_MILLIS = "15000";
    private static final String FAST_FAILOVER_MILLIS = "2000";

    private final List<RedisServer> nodes = new ArrayList<>();
    private final Polling polling = new Polling(this::outputs);

    private RedisCluster() {}

    /**
     * Starts all six, and waits until every slot is served and every master has its replica.
     *
     * @param settings lines of each node's configuration file, such as {@code "appendonly yes"}
     * @return the running cluster
     * @throws ServerUnavailableException if there is no {@code redis-server} and none can be fetched
     */
    public static RedisCluster start(String... settings) {
        return start(Optional.empty(), settings);
    }

    /**
     * Starts six that speak TLS only, as {@link #start(String...)} does.
     *
     * @param certificate of all of them, so for the address that they announce, {@code 127.0.0.1}, too
     * @return the running cluster
     * @throws ServerUnavailableException if there is no {@code redis-server} and none can be fetched
     */
    public static RedisCluster startWithTls(ServerCertificate certificate) {
        return start(Optional.of(certificate));
    }

    private static RedisCluster start(Optional<ServerCertificate> certificate, String... settings) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < NODES; i++) {
                cluster.nodes.add(new RedisServer(
                        new RedisNodeDefinition(RedisNodeDefinition.Mode.DATA, member(settings), certificate),
                        certificate));
            }
            cluster.join();
            return cluster;
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
    }

    /**
     * The URL of the cluster.
     *
     * @return {@code redis+cluster://} with the addresses of all nodes; {@code rediss+cluster} if they speak TLS
     */
    public String url() {
        return nodes.stream()
                .map(node -> node.host() + ":" + node.port())
                .collect(joining(",", nodes.get(0).scheme() + "+cluster://", ""));
    }

    /**
     * The nodes, whatever each is at the moment.
     *
     * @return six, always in the same order
     */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /**
     * The master that serves a key now. Waits until there is one that answers.
     *
     * @param key a key, or what it has in braces
     * @return one of {@link #nodes()}
     */
    public RedisServer masterOf(String key) {
        return polling.untilPresent("a node that serves " + key, () -> servingNode(nodes.stream(), key));
    }

    /**
     * Waits until another node serves a key. Meanwhile a node that has not answered for two seconds is down to the others.
     *
     * @param key a key, or what it has in braces
     * @param old the node that served it
     * @return the one that does
     */
    public RedisServer awaitMasterOtherThan(RedisServer old, String key) {
        setNodeTimeout(old, FAST_FAILOVER_MILLIS);
        try {
            return polling.untilPresent(
                    "another node than " + old.url() + " that serves " + key,
                    () -> servingNode(nodes.stream().filter(node -> node != old), key));
        } finally {
            setNodeTimeout(old, SLOW_FAILOVER_MILLIS);
        }
    }

    /**
     * Makes the replica of a key's master the master, and the master its replica, once the replica has all that was written. Nobody is
     * asked to vote: voters refuse a second election for the same master for a while.
     *
     * @param key a key, or what it has in braces
     * @return the new master
     */
    public RedisServer handOver(String key) {
        RedisServer old = masterOf(key);
        RedisServer replica =
                polling.untilPresent("a replica that has all of " + old.url(), () -> upToDateReplicaOf(old));
        replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
        polling.until(old.url() + " follows " + replica.url(), () -> !old.isMaster());
        polling.until(replica.url() + " serves " + key, () -> serves(replica, key));
        return replica;
    }

    /** Waits until every running node says that all slots are served. */
    public void awaitOk() {
        for (RedisServer node : nodes) {
            polling.until(node.url() + " sees all slots served", () -> !node.isRunning() || seesAllSlotsServed(node));
        }
    }

    /** Waits until all six run, all slots are served, and every master has its replica, which has all that was written. */
    public void awaitHealthy() {
        awaitOk();
        for (RedisServer node : nodes) {
            polling.until(node.url() + " has its replica, or follows its master", () -> isLinked(node));
        }
        // A replica that has just come online is sent nothing for a second, which a failover would lose. The command
        // leaves no data.
        replicate("FUNCTION", "FLUSH");
    }

    /** Removes all keys and all scripts from all nodes, which all run. */
    public void flush() {
        for (RedisServer node : nodes) {
            node.command("SCRIPT", "FLUSH");
        }
        replicate("FLUSHALL", "SYNC");
    }

    /** Has each master do something, and waits until its replica has done it, too. */
    private void replicate(String... words) {
        for (RedisServer node : nodes) {
            if (polling.untilPresent("the role of " + node.url(), () -> Optional.of(node.isMaster()))) {
                node.replicate(1, words);
            }
        }
    }

    /** Ends all six and removes all they had. */
    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    /** The old node may be frozen, and does not matter. */
    private void setNodeTimeout(RedisServer old, String millis) {
        nodes.stream()
                .filter(node -> node != old && node.isRunning())
                .forEach(node -> node.command("CONFIG", "SET", "cluster-node-timeout", millis));
    }

    private static List<String> member(String... settings) {
        return Stream.concat(
                        Stream.of(
                                "cluster-enabled yes",
                                "cluster-port " + FreePort.pick(),
                                "cluster-node-timeout " + SLOW_FAILOVER_MILLIS,
                                "cluster-replica-validity-factor 0"),
                        Stream.of(settings))
                .toList();
    }

    /** What {@code redis-cli --cluster create} does. */
    private void join() {
        for (int i = 0; i < NODES; i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
        }
        for (int i = 0; i < MASTERS; i++) {
            String first = String.valueOf(i * SLOTS / MASTERS);
            String last = String.valueOf((i + 1) * SLOTS / MASTERS - 1);
            nodes.get(i).command("CLUSTER", "ADDSLOTSRANGE", first, last);
        }
        for (RedisServer node : nodes.subList(1, NODES)) {
            String port = String.valueOf(node.port());
            nodes.get(0).command("CLUSTER", "MEET", node.host(), port, node.setting("cluster-port"));
        }
        for (RedisServer node : nodes) {
            polling.until(node.url() + " knows all others", () -> knowsAll(node));
        }
        for (int i = 0; i < MASTERS; i++) {
            String master = String.valueOf(nodes.get(i).command("CLUSTER", "MYID"));
            nodes.get(MASTERS + i).command("CLUSTER", "REPLICATE", master);
        }
        awaitHealthy();
    }

    /** Any other answers with the address of the one. */
    private static Optional<RedisServer> servingNode(Stream<RedisServer> candidates, String key) {
        return candidates.filter(node -> serves(node, key)).findFirst();
    }

    private static boolean serves(RedisServer node, String key) {
        try {
            return node.isRunning() && node.ask("EXISTS", key) != null;
        } catch (IOException notThisOne) {
            return false;
        }
    }

    private Optional<RedisServer> upToDateReplicaOf(RedisServer master) throws IOException {
        long written = ((Number) role(master).get(1)).longValue();
        for (RedisServer node : nodes) {
            List<?> role = role(node);
            if ("slave".equals(role.get(0))
                    && ((Number) role.get(2)).intValue() == master.port()
                    && ((Number) role.get(4)).longValue() >= written) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    private static List<?> role(RedisServer node) throws IOException {
        return (List<?>) Objects.requireNonNull(node.ask("ROLE"));
    }

    private static boolean knowsAll(RedisServer node) throws IOException {
        String known = String.valueOf(node.ask("CLUSTER", "NODES"));
        return known.lines().count() == NODES && !known.contains("handshake");
    }

    private static boolean seesAllSlotsServed(RedisServer node) throws IOException {
        String info = String.valueOf(node.ask("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS);
    }

    private static boolean isLinked(RedisServer node) throws IOException {
        String info = String.valueOf(node.ask("INFO", "replication"));
        boolean linked = info.contains(node.isMaster() ? "state=online" : "master_link_status:up");
        return linked && !String.valueOf(node.ask("CLUSTER", "NODES")).contains("fail");
    }

    private String outputs() {
        return RedisServer.outputs(nodes.stream());
    }
}
