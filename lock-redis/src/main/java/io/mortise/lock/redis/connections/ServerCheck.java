// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.util.Pool;

/**
 * Checks, when a backend is made, that the servers accept its credentials and that they do not evict keys. A server that does not
 * answer passes.
 */
public final class ServerCheck {
    private static final Logger LOG = System.getLogger(ServerCheck.class.getName());
    private static final Duration AT_MOST = Duration.ofSeconds(1);
    private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:([1-9]\\d*)");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:(\\S+)");

    private ServerCheck() {}

    /** Throws {@link LockConfigurationException} if a server refuses the user, the password or the database. */
    public static void run(Connections connections) {
        try {
            CallDeadline.uninterruptibly(STORE, AT_MOST, deadline -> {
                for (Pool<Connection> server : connections.servers(deadline)) {
                    connections.use(server, deadline, connection -> check(connection, deadline));
                }
                return true;
            });
        } catch (BackendException noAnswer) {
            RedisFailures.configurationMistake(noAnswer).ifPresent(mistake -> {
                throw new LockConfigurationException(mistake, noAnswer);
            });
            LOG.log(Level.DEBUG, "Redis could not be asked for its settings", noAnswer);
        }
    }

    private static boolean check(Connection connection, CallDeadline deadline) {
        try {
            connection.setSoTimeout(deadline.remainingMillis());
            connection.sendCommand(Command.INFO, "memory");
            warnIfItEvicts(RedisReply.text(connection.getOne()), connection);
        } catch (JedisAccessControlException refused) {
            if (!String.valueOf(refused.getMessage()).contains("'info'")) {
                throw refused;
            }
            LOG.log(Level.DEBUG, "this user of Redis may not read its settings", refused);
        }
        return true;
    }

    private static void warnIfItEvicts(String info, Connection connection) {
        Matcher policy = POLICY.matcher(info);
        if (LIMIT.matcher(info).find() && policy.find() && !policy.group(1).equals("noeviction")) {
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} evicts keys when its memory is full (maxmemory-policy {1}), and locks with them; set noeviction",
                    connection.getHostAndPort(),
                    policy.group(1));
        }
    }
}
