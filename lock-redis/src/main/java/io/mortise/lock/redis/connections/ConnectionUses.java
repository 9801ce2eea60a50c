// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import redis.clients.jedis.Connection;

/** Remembers when connections were used last: what lies between may have forgotten those that were idle. Thread-safe. */
final class ConnectionUses {
    /** Shorter than what firewalls wait before they forget a connection. */
    private static final long LONG_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<Connection, Long> lastUses = Collections.synchronizedMap(new WeakHashMap<>());

    void used(Connection connection) {
        lastUses.put(connection, System.nanoTime());
    }

    boolean isKnown(Connection connection) {
        return lastUses.containsKey(connection);
    }

    /** Also if it was never used: nobody knows how long it has been waiting. */
    boolean wasIdleForLong(Connection connection) {
        Long lastUse = lastUses.get(connection);
        return lastUse == null || System.nanoTime() - lastUse > LONG_NANOS;
    }
}
