// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.connections.Topology;
import io.mortise.lock.redis.operations.ClaimCalls;
import io.mortise.lock.redis.pipeline.Pipelines;
import io.mortise.lock.redis.redisson.RedissonBackend;
import io.mortise.lock.redis.scripts.KeyText;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.spi.LockBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/** Builds a {@link RedisBackend}. Not thread-safe. */
public final class RedisBackendBuilder {
    static final String DEFAULT_PREFIX = "mortise:";
    static final Duration DEFAULT_REPLICA_TIMEOUT = Duration.ofMillis(500);

    private final Topology topology;
    private String prefix = DEFAULT_PREFIX;
    private Replication replication = Replication.NONE;
    private @Nullable Supplier<Connection> listening;
    private Supplier<Optional<String>> mistake = Optional::empty;
    private boolean opensReplicas;

    private @Nullable Supplier<Connection> pipelining;
    private Duration silence = Duration.ZERO;

    private int many = ClaimCalls.MANY;

    RedisBackendBuilder(Topology topology) {
        this.topology = topology;
    }

    /**
     * Lets the backend be asked without threads that wait, as the member of a quorum, and many calls at once share a connection.
     *
     * @param connecting opens a connection to the one server, which connects once only
     * @param atMost how long the server may be silent after a request is late
     */
    RedisBackendBuilder pipelining(Supplier<Connection> connecting, Duration atMost) {
        pipelining = connecting;
        silence = atMost;
        return this;
    }

    /**
     * Sets what all keys and channels begin with. Clients with different prefixes do not see each other's locks.
     *
     * @param value ASCII letters, digits and {@code / . : _ - @ # = + , ; ~}; {@code mortise:} unless set
     * @return this
     * @throws LockConfigurationException if it contains another character, or is {@code mortise-fence:}
     */
    public RedisBackendBuilder prefix(String value) {
        if (!KeyText.isPlain(value)) {
            throw new LockConfigurationException(
                    "a prefix has ASCII letters, digits and / . : _ - @ # = + , ; ~ only, not '" + value + "'");
        }
        if (value.equals(RedisFencingGuard.TOKEN_PREFIX)) {
            throw new LockConfigurationException(
                    "the prefix " + value + " is that of the keys in which guards keep their tokens; take another");
        }
        prefix = value;
        return this;
    }

    /**
     * Makes a grant or a renewal count only when so many replicas have it, so that a failover to one of them keeps it. A
     * grant that is not confirmed is given back. The other replicas may still lag behind.
     *
     * @param replicas how many, 1 or more; 0, the default, if the master alone is enough
     * @param timeout how long to wait for them, positive, well below the client's call timeout
     * @return this
     * @throws LockConfigurationException if the number is negative or the timeout shorter than a millisecond
     */
    public RedisBackendBuilder replicas(int replicas, Duration timeout) {
        if (replicas < 0 || timeout.toMillis() < 1) {
            throw new LockConfigurationException("replicas must not be negative and their timeout at least 1 ms, not "
                    + replicas + " and " + timeout);
        }
        replication = replicas == 0 ? Replication.NONE : new Replication(replicas, timeout);
        return this;
    }

    /**
     * Lets waiting claims hear that they are next, over one connection of their own, instead of asking again and again. It
     * must reach the same server as the client, or any of the same Cluster; its
     * {@link redis.clients.jedis.JedisClientConfig#getBlockingSocketTimeoutMillis() blocking timeout} should be ten seconds,
     * so that a dead one is noticed, and its protocol RESP2.
     *
     * @param connecting opens a new connection; called again when one is lost
     * @return this
     */
    public RedisBackendBuilder listening(Supplier<Connection> connecting) {
        listening = connecting;
        return this;
    }

    /** From so many calls at once they share a connection, if there is one server. */
    RedisBackendBuilder sharing(int calls) {
        many = calls;
        return this;
    }

    /** Whether a server that is a replica when the backend is made is no error then: each call is refused while it is one. */
    RedisBackendBuilder opensReplicas(boolean value) {
        opensReplicas = value;
        return this;
    }

    /** Asked why no server answers, when the backend is made. */
    RedisBackendBuilder mistake(Supplier<Optional<String>> value) {
        mistake = value;
        return this;
    }

    /**
     * Makes the backend. Asks the servers whether they are fit for locks, for two seconds at most, and logs a warning if they may
     * evict locks; a server that is down is no error.
     *
     * @return a new backend
     * @throws LockConfigurationException if a server refuses the user or the password, if the user lacks a permission that locks
     *     need, if the only server is a replica or one of a Cluster, or if client and server do not agree on a TLS connection
     */
    public RedisBackend build() {
        // Each backend listens on a channel that nobody else has.
        ReleaseListener listener = listening == null
                ? null
                : new ReleaseListener(
                        listening, prefix + "client:" + HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
        // Replicas are waited for on the connection of each call.
        return (pipelining == null || replication.replicas() > 0
                        ? new RedisBackend(topology, prefix, replication, listener, null, many)
                        : new PipelinedRedisBackend(
                                topology,
                                prefix,
                                listener,
                                new Pipelines(pipelining, silence, topology.failures()),
                                many))
                .checked(mistake, opensReplicas);
    }

    /** Makes a backend whose locks clients of Redisson share. Asks nothing. */
    LockBackend redisson() {
        return new RedissonBackend(topology);
    }
}
