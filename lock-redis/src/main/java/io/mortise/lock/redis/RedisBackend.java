// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.connections.ClusterMasters;
import io.mortise.lock.redis.connections.ClusterNodes;
import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.LazyClient;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.connections.SingleMaster;
import io.mortise.lock.redis.connections.Topology;
import io.mortise.lock.redis.operations.ClaimCalls;
import io.mortise.lock.redis.operations.LockListing;
import io.mortise.lock.redis.operations.OperationContext;
import io.mortise.lock.redis.operations.RedisClaim;
import io.mortise.lock.redis.operations.Register;
import io.mortise.lock.redis.operations.ServerCheck;
import io.mortise.lock.redis.operations.StoreIncarnationCache;
import io.mortise.lock.redis.pipeline.Pipeline;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * Keeps locks in Redis: in one server, a Sentinel set, or a Cluster. Thread-safe.
 *
 * <p>The calling thread makes each call over a connection of the client's pool; from a URL of one server, calls share a connection while many
 * are made at once. Only connecting, which cannot be interrupted,
 * happens on a thread of this backend. A server that is down when a backend is made may come up later.
 */
public sealed class RedisBackend implements LockBackend permits PipelinedRedisBackend {
    private final Connections connections;
    private final @Nullable ReleaseListener listener;
    private final OperationContext context;
    private final LockListing listing;
    private final Register register;
    private volatile boolean keepsRegister;

    /** {@code shared}: what many calls at once share, from so many on; null if they never do. */
    RedisBackend(
            Topology topology,
            String prefix,
            Replication replication,
            @Nullable ReleaseListener listener,
            @Nullable Pipeline shared,
            int many) {
        connections = new Connections(topology);
        this.listener = listener;
        ScriptRunner scripts = new ScriptRunner(connections);
        context = new OperationContext(
                prefix,
                scripts,
                new ClaimCalls(connections, scripts, shared, many),
                replication,
                listener,
                new StoreIncarnationCache(scripts),
                topology.isCluster());
        listing = new LockListing(context, connections);
        register = new Register(context);
    }

    /** What the operations of this backend share. */
    final OperationContext context() {
        return context;
    }

    /** Checks the servers, and asks {@code mistake} why they do not answer; on failure everything is closed. */
    RedisBackend checked(Supplier<Optional<String>> mistake, boolean opensReplicas) {
        try {
            keepsRegister = new ServerCheck(context, connections, mistake, opensReplicas).run();
            return this;
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    /**
     * Locks in one server.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisClient client) {
        return new RedisBackendBuilder(SingleMaster.of(LazyClient.given(client.getPool()), STORE));
    }

    /**
     * Locks in the master that Sentinels name.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisSentinelClient client) {
        return new RedisBackendBuilder(SingleMaster.ofSentinels(
                LazyClient.given(client),
                sentinels -> sentinels
                        .getPrimaryNodesConnectionMap()
                        .values()
                        .iterator()
                        .next(),
                STORE));
    }

    /**
     * Locks in a Cluster, each in the master of its slot.
     *
     * @param client gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static RedisBackendBuilder builder(RedisClusterClient client) {
        return new RedisBackendBuilder(new ClusterMasters(
                LazyClient.given(new ClusterNodes() {
                    @Override
                    public Map<String, ConnectionPool> pools() {
                        return client.getClusterNodes();
                    }

                    @Override
                    public void refresh() {
                        client.refreshClusterTopology();
                    }
                }),
                STORE));
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new RedisClaim(context, request, nudge);
    }

    /**
     * All; without {@link Feature#PROMPT} and {@link Feature#FAIR} where the backend was given nothing to listen with, and without
     * {@link Feature#REGISTER} unless there is one server that writes to disk what it answers: {@code appendonly yes} and
     * {@code appendfsync always}, as it was when the backend was made.
     */
    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.FENCED, Feature.LISTABLE, Feature.REVOCABLE);
        if (listener != null) {
            features.add(Feature.PROMPT);
            features.add(Feature.FAIR);
        }
        if (keepsRegister) {
            features.add(Feature.REGISTER);
        }
        return features;
    }

    /** {@link SafetyLevel#SINGLE_STORE}; {@link SafetyLevel#REPLICATED} where replicas confirm. */
    @Override
    public SafetyLevel safetyLevel() {
        return context.replication().replicas() == 0 ? SafetyLevel.SINGLE_STORE : SafetyLevel.REPLICATED;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return CallDeadline.uninterruptibly(
                STORE, atMost, deadline -> RedisClaim.renewAll(context, renewals, deadline));
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> listing.inspect(lock, deadline));
    }

    /** One pass over the keys of every server; the page is in the order of {@link String#compareTo}. */
    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> listing.list(prefix, after, limit, deadline));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> listing.revoke(lock, reason, now, deadline));
    }

    /** One pass over the keys of every server. */
    @Override
    public long highestToken(Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, listing::highestToken);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        requireRegister();
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> register.read(name, deadline));
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        requireRegister();
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> register.write(name, expected, entry, deadline));
    }

    private void requireRegister() {
        if (!keepsRegister) {
            throw new UnsupportedOperationException(
                    "this Redis keeps no register: that takes one server with appendonly yes and appendfsync always");
        }
    }

    /** Leaves the application's client open. */
    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        connections.close();
    }
}
