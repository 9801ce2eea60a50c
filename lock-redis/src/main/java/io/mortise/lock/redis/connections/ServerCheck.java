// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.util.Pool;

/** Looks whether the servers are fit to keep locks, when a backend is made. A server that does not answer is let pass. */
public final class ServerCheck {
    private static final Logger LOG = System.getLogger(ServerCheck.class.getName());
    private static final Duration AT_MOST = Duration.ofSeconds(1);
    private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:([1-9]\\d*)");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:(\\S+)");

    private final Connections connections;

    public ServerCheck(Connections connections) {
        this.connections = connections;
    }

    /** Reports what may lose locks; refuses credentials that the server refuses. */
    public void run() {
        Deadline deadline = Deadline.in(AT_MOST);
        try {
            deadline.uninterruptibly(() -> {
                for (Pool<Connection> server :
                        connections.ask(() -> connections.topology().all(), deadline)) {
                    check(server, deadline);
                }
                return true;
            });
        } catch (BackendException unanswered) {
            RedisFailures.mistake(unanswered).ifPresent(mistake -> {
                throw new LockConfigurationException(mistake, unanswered);
            });
            LOG.log(Level.DEBUG, "Redis could not be asked for its settings", unanswered);
        }
    }

    private void check(Pool<Connection> server, Deadline deadline) throws InterruptedException {
        try (PooledConnection borrowed = connections.borrowFrom(server, deadline)) {
            Connection connection = borrowed.connection();
            connection.setSoTimeout(deadline.leftMillis());
            connection.sendCommand(Command.INFO, "memory");
            warn(RedisReply.text(connection.getOne()), connection.getHostAndPort());
        } catch (JedisAccessControlException refused) {
            if (String.valueOf(refused.getMessage()).contains("'info'")) {
                LOG.log(Level.DEBUG, "this user of Redis may not know its settings", refused);
            } else {
                throw refused;
            }
        }
    }

    private static void warn(String info, HostAndPort server) {
        Matcher policy = POLICY.matcher(info);
        if (LIMIT.matcher(info).find() && policy.find() && !policy.group(1).equals("noeviction")) {
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} evicts keys when its memory is full (maxmemory-policy {1}), and locks with them; set noeviction",
                    server,
                    policy.group(1));
        }
    }
}
