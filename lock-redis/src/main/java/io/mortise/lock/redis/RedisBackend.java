// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * Locks in Redis: one server, a Sentinel set, or a Cluster. Thread-safe.
 *
 * <p>Calls are made by the calling thread over a connection of the client's pool; only connecting, which cannot be
 * interrupted, happens on a thread of this backend. A server that is down when a backend is made may come up later.
 */
public final class RedisBackend implements LockBackend {
    private final String prefix;
    private final Connections connections;
    private final ScriptRunner scripts;
    private final Replication replication;
    private final @Nullable Listener listener;
    private final BatchRenewal renewal;
    private final Directory directory;
    private final ServerRuns runs;
    private final String reachable;

    RedisBackend(RedisBackendBuilder builder) {
        Topology topology = builder.topology();
        prefix = builder.prefix();
        connections = new Connections(topology);
        scripts = new ScriptRunner(connections);
        replication = builder.replication();
        listener = builder.listener();
        reachable = topology.countsListeners() ? "known" : "unknown";
        renewal = new BatchRenewal(scripts, replication, !topology.countsListeners());
        runs = new ServerRuns(scripts);
        directory = new Directory(prefix, connections, scripts, reachable);
    }

    /** Looks at the servers; on failure everything is closed. */
    RedisBackend checked() {
        boolean fit = false;
        try {
            new ServerCheck(connections).run();
            fit = true;
            return this;
        } finally {
            if (!fit) {
                close();
            }
        }
    }

    /**
     * Locks in one server.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisClient client) {
        return new RedisBackendBuilder(new SingleServer(client, false));
    }

    /**
     * Locks in the master that Sentinels name.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisSentinelClient client) {
        return new RedisBackendBuilder(new SentinelMaster(LateClient.given(client)));
    }

    /**
     * Locks in a Cluster, each in the master of its slot.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisClusterClient client) {
        return new RedisBackendBuilder(new ClusterMasters(LateClient.given(client)));
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new RedisClaim(this, request, nudge);
    }

    /** All; without {@link Feature#PROMPT} and {@link Feature#FAIR} where the backend was given nothing to listen with. */
    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.FENCED, Feature.LISTABLE, Feature.REVOCABLE);
        if (listener != null) {
            features.add(Feature.PROMPT);
            features.add(Feature.FAIR);
        }
        return features;
    }

    /** {@link SafetyLevel#SINGLE_STORE}; {@link SafetyLevel#REPLICATED} where replicas confirm. */
    @Override
    public SafetyLevel safetyLevel() {
        return replication.replicas() == 0 ? SafetyLevel.SINGLE_STORE : SafetyLevel.REPLICATED;
    }

    @Override
    public List<Answer> renewAll(List<? extends Claim> claims, Duration atMost) {
        return renewal.renew(claims.stream().map(RedisClaim.class::cast).toList(), Deadline.in(atMost)).stream()
                .map(RedisBackend::answer)
                .toList();
    }

    private static Answer answer(Object told) {
        return told instanceof Boolean held ? (held ? Answer.YES : Answer.NO) : Answer.UNKNOWN;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return directory.inspect(lock, Deadline.in(atMost));
    }

    /** One pass over the keys of every server; the page is in the order of {@link String#compareTo}. */
    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return directory.list(prefix, after, limit, Deadline.in(atMost));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return directory.revoke(lock, reason, now, Deadline.in(atMost));
    }

    /** Leaves the application's client open. */
    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        connections.close();
    }

    String prefix() {
        return prefix;
    }

    ScriptRunner scripts() {
        return scripts;
    }

    Replication replication() {
        return replication;
    }

    @Nullable
    Listener listener() {
        return listener;
    }

    BatchRenewal renewal() {
        return renewal;
    }

    ServerRuns runs() {
        return runs;
    }

    /** Whether PUBLISH tells if anybody listens, as the scripts take it. */
    String reachable() {
        return reachable;
    }
}
