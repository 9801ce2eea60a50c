// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** A connection of each thread to each server; all are written to before the first is read. */
public final class RedlockFloor implements Contestant {
    private final List<HostAndPort> servers;
    private final List<Connection> all = new ArrayList<>();
    private final ThreadLocal<List<Connection>> connections = ThreadLocal.withInitial(this::connect);

    public RedlockFloor(List<HostAndPort> servers) {
        this.servers = servers;
    }

    private List<Connection> connect() {
        List<Connection> made = servers.stream().map(Connection::new).toList();
        synchronized (all) {
            all.addAll(made);
        }
        return made;
    }

    @Override
    public Held acquire(String lock) {
        String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
        List<Connection> mine = connections.get();
        mine.forEach(connection -> connection.sendCommand(Command.SET, lock, owner, "NX", "PX", "30000"));
        mine.forEach(RedlockFloor::flushed);
        long granted = mine.stream()
                .map(Connection::getOne)
                .filter(answer -> answer != null)
                .count();
        if (granted <= servers.size() / 2) {
            throw new IllegalStateException("somebody holds " + lock);
        }
        return () -> {
            mine.forEach(connection -> connection.sendCommand(Command.EVAL, RedisFloor.RELEASE, "1", lock, owner));
            mine.forEach(RedlockFloor::flushed);
            mine.forEach(Connection::getOne);
        };
    }

    /** Sends what was written, and reads nothing. */
    private static void flushed(Connection connection) {
        connection.getMany(0);
    }

    @Override
    public void close() {
        synchronized (all) {
            all.forEach(Connection::close);
        }
    }
}
