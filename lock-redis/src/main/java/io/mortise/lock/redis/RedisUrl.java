// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redis.connections.ClusterConnections;
import io.mortise.lock.redis.connections.ClusterMasters;
import io.mortise.lock.redis.connections.IdleOnly;
import io.mortise.lock.redis.connections.LazyClient;
import io.mortise.lock.redis.connections.PortCheck;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.connections.SentinelConnections;
import io.mortise.lock.redis.connections.SingleMaster;
import io.mortise.lock.redis.connections.Topology;
import io.mortise.lock.redis.pipeline.OneSocket;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;

/** Parses a URL of Redis and makes the clients that it describes. Immutable. */
final class RedisUrl {
    private static final String FORMAT = "format";

    static final Set<String> OPTIONS = Set.of(
            "prefix",
            "timeout",
            "connections",
            "role",
            "replicas",
            "replicaTimeout",
            "sentinelUser",
            "sentinelPassword",
            FORMAT);

    private static final Pattern PATH =
            Pattern.compile("(?:/(?<master>[^/]*[^/0-9][^/]*))?(?:/(?<database>\\d{1,9})?)?");
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);
    private static final int CONNECTIONS = 64;

    private final StoreUrl url;
    private final String kind;
    private final Optional<String> master;
    private final DefaultJedisClientConfig config;
    private final DefaultJedisClientConfig listening;

    RedisUrl(StoreUrl url) {
        this.url = url;
        int plus = url.scheme().indexOf('+');
        kind = plus < 0 ? "" : url.scheme().substring(plus + 1);
        Matcher path = PATH.matcher(url.path());
        if (!path.matches() || (path.group("master") != null) != kind.equals("sentinel")) {
            // The message leaves the path out: it may begin within a password that has a slash.
            throw new LockConfigurationException("a URL of this kind is written " + form()
                    + "; a slash in a user name or a password is written %2F");
        }
        refuseWhatHasNoEffect();
        master = Optional.ofNullable(path.group("master"));
        int database = path.group("database") == null ? 0 : Integer.parseInt(path.group("database"));
        if (database > 0 && kind.equals("cluster")) {
            throw new LockConfigurationException("a Cluster has no databases but 0: leave /" + database + " out");
        }
        Duration timeLimit = read("timeout", DurationText::parse).orElse(TIMEOUT);
        if (timeLimit.toMillis() < 1 || timeLimit.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new LockConfigurationException("the option timeout must be between 1ms and 1h");
        }
        DefaultJedisClientConfig.Builder common = config((int) timeLimit.toMillis());
        url.user().ifPresent(common::user);
        url.password().ifPresent(common::password);
        listening = common.build();
        config = common.database(database).build();
    }

    private void refuseWhatHasNoEffect() {
        if (url.user().isPresent() && url.password().isEmpty()) {
            throw new LockConfigurationException(
                    "the URL names a user without a password; write redis://user:password@host");
        }
        for (String option : List.of("sentinelUser", "sentinelPassword")) {
            if (url.option(option).isPresent() && !kind.equals("sentinel")) {
                throw new LockConfigurationException("the option " + option + " is for redis+sentinel: only");
            }
        }
        if (url.option("role").isPresent() && !kind.isEmpty()) {
            throw new LockConfigurationException("the option role is for redis: and rediss: only");
        }
        refuseWithout("sentinelUser", "sentinelPassword");
        refuseWithout("replicaTimeout", "replicas");
    }

    private void refuseWithout(String option, String other) {
        if (url.option(option).isPresent() && url.option(other).isEmpty()) {
            throw new LockConfigurationException("the option " + option + " goes with " + other + ", which is missing");
        }
    }

    /** A client that keeps locks as the URL says: unless it says otherwise, as only this library does. */
    LockBackend open() {
        String format = url.option(FORMAT).orElse("mortise");
        switch (format) {
            case "mortise" -> {
                return builder().build();
            }
            case "redisson" -> {
                refuseWhatRedissonHasNot();
                return builder().redisson();
            }
            default ->
                throw new LockConfigurationException("the option format is mortise or redisson, not '" + format + "'");
        }
    }

    private void refuseWhatRedissonHasNot() {
        if (kind.equals("cluster")) {
            throw new LockConfigurationException(
                    "format=redisson is for one server and for Sentinels, not for a Cluster");
        }
        for (String option : List.of("prefix", "replicas", "role")) {
            if (url.option(option).isPresent()) {
                throw new LockConfigurationException("the option " + option + " does not go with format=redisson");
            }
        }
    }

    /** A builder with a client of the servers. A server that is down is no error. */
    RedisBackendBuilder builder() {
        int replicas = read("replicas", RedisUrl::number).orElse(0);
        Duration replicaTimeout =
                read("replicaTimeout", DurationText::parse).orElse(RedisBackendBuilder.DEFAULT_REPLICA_TIMEOUT);
        List<io.mortise.lock.spi.support.HostAndPort> servers = servers();
        List<HostAndPort> hosts = servers.stream()
                .map(server -> new HostAndPort(server.host(), server.port()))
                .toList();
        RedisBackendBuilder builder =
                switch (kind) {
                    case "sentinel" -> sentinel(new LinkedHashSet<>(hosts));
                    case "cluster" -> cluster(new LinkedHashSet<>(hosts));
                    default -> single(hosts);
                };
        url.option("prefix").ifPresent(builder::prefix);
        url.option("role").ifPresent(role -> builder.opensReplicas(isAny(role)));
        PortCheck ports = new PortCheck(servers, isTls());
        return builder.mistake(ports::mistake).replicas(replicas, replicaTimeout);
    }

    private RedisBackendBuilder single(List<HostAndPort> hosts) {
        if (hosts.size() > 1) {
            throw new LockConfigurationException(
                    "redis:// names one server; several are written redis+cluster://h1,h2 or redis+sentinel://h1,h2/master");
        }
        HostAndPort host = hosts.get(0);
        LazyClient<ConnectionPool> pool =
                LazyClient.made(() -> new ConnectionPool(host, config, pool()), ConnectionPool::close);
        pool.get(); // asks no server
        return builder(SingleMaster.of(pool, "Redis at " + host + transport()), () -> host)
                .pipelining(() -> OneSocket.connect(host, config), Duration.ofMillis(config.getSocketTimeoutMillis()));
    }

    private RedisBackendBuilder sentinel(Set<HostAndPort> sentinels) {
        DefaultJedisClientConfig.Builder toSentinels = config(config.getSocketTimeoutMillis());
        url.option("sentinelUser").ifPresent(toSentinels::user);
        url.option("sentinelPassword").ifPresent(toSentinels::password);
        LazyClient<SentinelConnections> client = LazyClient.made(
                () -> new SentinelConnections(master.orElseThrow(), sentinels, toSentinels.build(), config, pool()),
                SentinelConnections::close);
        String store = "Redis master " + master.orElseThrow() + " of the Sentinels " + list(sentinels);
        return builder(SingleMaster.ofSentinels(client, SentinelConnections::pool, store), () -> client.get()
                .master());
    }

    private RedisBackendBuilder cluster(Set<HostAndPort> nodes) {
        LazyClient<ClusterConnections> client =
                LazyClient.made(() -> new ClusterConnections(nodes, config, pool()), ClusterConnections::close);
        // Messages reach every server of a Cluster: any will do, and next time another.
        return builder(new ClusterMasters(client, "Redis Cluster of " + list(nodes)), () -> {
            List<String> all = new ArrayList<>(client.get().pools().keySet());
            Collections.shuffle(all);
            return HostAndPort.from(all.get(0));
        });
    }

    private String list(Set<HostAndPort> servers) {
        return servers.stream().map(HostAndPort::toString).collect(Collectors.joining(", ")) + transport();
    }

    private String transport() {
        return url.scheme().startsWith("rediss") ? " over TLS" : " without TLS";
    }

    /** RESP2, since a connection that listens must not get anything else; and no more commands at connecting than needed. */
    private DefaultJedisClientConfig.Builder config(int timeout) {
        DefaultJedisClientConfig.Builder common = DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .timeoutMillis(timeout)
                .hostAndPortMapper(new IdleOnly())
                .blockingSocketTimeoutMillis(ReleaseListener.SILENCE_MILLIS)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        return isTls() ? common.sslOptions(SslOptions.defaults()) : common;
    }

    private static boolean isAny(String role) {
        if (role.equals("master") || role.equals("any")) {
            return role.equals("any");
        }
        throw new LockConfigurationException("the option role is master or any, not '" + role + "'");
    }

    private boolean isTls() {
        return url.scheme().startsWith("rediss");
    }

    private RedisBackendBuilder builder(Topology topology, Supplier<HostAndPort> listeningTo) {
        return new RedisBackendBuilder(topology).listening(() -> new Connection(listeningTo.get(), listening));
    }

    private GenericObjectPoolConfig<Connection> pool() {
        int connections = read("connections", RedisUrl::number).orElse(CONNECTIONS);
        if (connections < 1) {
            throw new LockConfigurationException("the option connections must be at least 1");
        }
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        pool.setMaxWait(Duration.ofMillis(config.getSocketTimeoutMillis()));
        pool.setJmxEnabled(false);
        return pool;
    }

    private List<io.mortise.lock.spi.support.HostAndPort> servers() {
        int defaultPort = kind.equals("sentinel") ? 26379 : 6379;
        if (url.hosts().isEmpty()) {
            throw new LockConfigurationException("the URL names no host; it is written " + form());
        }
        return io.mortise.lock.spi.support.HostAndPort.parseAll(url.hosts(), defaultPort);
    }

    private String form() {
        return switch (kind) {
            case "sentinel" -> "redis+sentinel://host1,host2/master or redis+sentinel://host1,host2/master/database";
            case "cluster" -> "redis+cluster://host1,host2";
            default -> "redis://host:port or redis://host:port/database";
        };
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'" + text + "' is not a number");
        }
    }

    private <T> Optional<T> read(String option, Function<String, T> parser) {
        return url.option(option).map(value -> {
            try {
                return parser.apply(value);
            } catch (IllegalArgumentException wrong) {
                throw new LockConfigurationException(
                        "the option " + option + " is wrong: " + wrong.getMessage(), wrong);
            }
        });
    }
}
