// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ServerState;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.util.Pool;

/**
 * Checks, when a backend is made, what would make every call fail: wrong credentials, a missing permission, a server that is a replica
 * or none of those that locks can be in; and that the servers do not evict keys. A server that does not answer passes. Used once.
 */
public final class ServerCheck {
    private static final Logger LOG = System.getLogger(ServerCheck.class.getName());
    private static final Duration AT_MOST = Duration.ofSeconds(2);
    private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:([1-9]\\d*)");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:(\\S+)");

    private final OperationContext context;
    private final Connections connections;
    private final Supplier<Optional<String>> mistake;
    private final boolean opensReplicas;

    /** Asks {@code mistake} why a server does not answer. With {@code opensReplicas}, a replica passes. */
    public ServerCheck(
            OperationContext context,
            Connections connections,
            Supplier<Optional<String>> mistake,
            boolean opensReplicas) {
        this.context = context;
        this.connections = connections;
        this.mistake = mistake;
        this.opensReplicas = opensReplicas;
    }

    /**
     * Throws {@link LockConfigurationException} if a server refuses this client for good, or if none answers and it is known why. Answers
     * whether there is one server, and what it has answered survives a crash.
     */
    public boolean run() {
        try {
            return CallDeadline.uninterruptibly(STORE, AT_MOST, this::check);
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(failure.getMessage()), failure);
            }
            mistake.get().ifPresent(known -> {
                throw new LockConfigurationException(known, failure);
            });
            LOG.log(Level.DEBUG, "Redis could not be asked whether it is fit for locks", failure);
            return false;
        }
    }

    private boolean check(CallDeadline deadline) throws InterruptedException {
        StringBuilder masters = new StringBuilder();
        boolean isDurable = !connections.failsOver();
        for (Pool<Connection> server : connections.servers(deadline)) {
            String info = ask(server, deadline, Command.INFO);
            warnIfItEvicts(info);
            isDurable &= info.contains("aof_enabled:1")
                    && ask(server, deadline, Command.CONFIG, "GET", "appendfsync")
                            .contains("always");
            ServerState.masterOf(info)
                    .ifPresent(master -> masters.append("; its master is ").append(master));
            if (!context.isCluster() && info.contains("cluster_enabled:1")) {
                throw connections.failures().ofACluster();
            }
        }
        try {
            checkPermissions(deadline);
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED && RedisFailures.isReplica(failure.getCause())) {
                if (opensReplicas) {
                    return isDurable;
                }
                throw BackendException.refused(failure.getMessage() + masters, failure.getCause());
            }
            throw failure;
        }
        return isDurable;
    }

    /** In a Cluster at one server: the others have the same users. */
    private void checkPermissions(CallDeadline deadline) throws InterruptedException {
        String unused = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        LockKeys keys = LockKeys.of(context.prefix(), "check " + unused);
        ScriptCall call = ScriptCall.of(Script.CHECK, List.of(keys.lock()), context.prefix() + "client:" + unused);
        List<String> missing = context.scripts().talk(keys.slot(), deadline, pipeline -> {
            List<?> commands = (List<?>) pipeline.run(call);
            pipeline.checkConfirmation(context.replication());
            return commands.stream().map(RedisReply::text).toList();
        });
        if (!missing.isEmpty()) {
            throw connections.failures().lacks(missing);
        }
    }

    /** What a server tells of itself, or nothing if this user may not ask. */
    private String ask(Pool<Connection> server, CallDeadline deadline, Command command, String... what)
            throws InterruptedException {
        return connections.use(server, deadline, connection -> {
            try {
                connection.setSoTimeout(deadline.remainingMillis());
                connection.sendCommand(command, what);
                Object reply = connection.getOne();
                return reply instanceof List<?> lines
                        ? lines.stream().map(RedisReply::text).collect(Collectors.joining(" "))
                        : RedisReply.text(reply);
            } catch (JedisAccessControlException refused) {
                String refusedCommand = "'" + command.name().toLowerCase(Locale.ROOT);
                if (!String.valueOf(refused.getMessage()).contains(refusedCommand)) {
                    throw refused;
                }
                LOG.log(Level.DEBUG, "this user of Redis may not read its settings", refused);
                return "";
            }
        });
    }

    private void warnIfItEvicts(String info) {
        Matcher policy = POLICY.matcher(info);
        if (LIMIT.matcher(info).find() && policy.find() && !policy.group(1).equals("noeviction")) {
            LOG.log(
                    Level.WARNING,
                    "{0} evicts keys when its memory is full (maxmemory-policy {1}), and locks with them; set noeviction",
                    connections.failures().store(),
                    policy.group(1));
        }
    }
}
