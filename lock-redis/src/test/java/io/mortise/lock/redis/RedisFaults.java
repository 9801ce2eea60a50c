// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.process.ClientClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What can be done to the servers and keys of locks behind the backend's back. */
interface RedisFaults extends Faults {
    /** All servers that have keys. */
    List<RedisServer> servers();

    /** The server that may write a key now. */
    RedisServer serverOf(String key);

    @Override
    default Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
    }

    @Override
    default void pauseStore() {
        servers().forEach(RedisServer::pause);
    }

    @Override
    default void resumeStore() {
        servers().forEach(RedisServer::resume);
    }

    /** With a log of what was written; without one a restart keeps nothing. */
    @Override
    default void restartStore() {
        servers().forEach(RedisServer::restart);
    }

    @Override
    default void expireNow(String lock) {
        String key = keys(lock).lock();
        serverOf(key).command("PEXPIRE", key, "0");
    }

    @Override
    default void deleteBehindBack(String lock) {
        LockKeys keys = keys(lock);
        serverOf(keys.lock()).command("DEL", keys.lock(), keys.token(), keys.queue());
    }

    /** As SET does it whose EXPIRE never comes. */
    @Override
    default void writeWithoutEnd(String lock) {
        String key = keys(lock).lock();
        serverOf(key).command("SET", key, "held 00000000000000000000000000000000 1 1 - 1 1");
    }

    @Override
    default void killConnections() {
        for (RedisServer server : servers()) {
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            server.command("CLIENT", "KILL", "TYPE", "normal");
        }
    }

    /** Scripts: each is what one question to the store costs. */
    @Override
    default long operations() {
        return servers().stream()
                .mapToLong(server -> server.commandStats().getOrDefault("evalsha", 0L))
                .sum();
    }

    private static LockKeys keys(String lock) {
        return LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock);
    }
}
