// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.net.URI;
import java.util.List;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.RedisClient;

/** Numbers that are read and written in two steps. Thread-safe. */
public final class RedisCounters implements AutoCloseable {
    /** A watching writer has one connection for what it watches, and reads over another one. */
    private static final int CONNECTIONS = 128;

    private final RedisClient redis;

    public RedisCounters(String url) {
        redis = RedisConnections.open(URI.create(url).getHost(), URI.create(url).getPort(), CONNECTIONS);
    }

    /** Raises a number by one. */
    public interface Way {
        /** Answers how often it was tried. */
        long raise(String key) throws Exception;
    }

    /** Writes if nobody else has written since the number was read, else tries again. */
    public long watched(String key) {
        for (long tries = 1; ; tries++) {
            try (AbstractTransaction transaction = redis.transaction(false)) {
                transaction.watch(key);
                String next = next(redis.get(key));
                transaction.multi();
                transaction.set(key, next);
                List<Object> written = transaction.exec();
                if (written != null) {
                    return tries;
                }
            }
        }
    }

    /** Reads and writes while it holds a lock. */
    public long locked(Contestant locks, String key) throws Exception {
        Contestant.Held held = locks.acquire(key);
        try {
            redis.set(key, next(redis.get(key)));
        } finally {
            held.release();
        }
        return 1;
    }

    public long read(String key) {
        String value = redis.get(key);
        return value == null ? 0 : Long.parseLong(value);
    }

    private static String next(String value) {
        return value == null ? "1" : String.valueOf(Long.parseLong(value) + 1);
    }

    @Override
    public void close() {
        redis.close();
    }
}
