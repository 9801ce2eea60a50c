// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import io.mortise.lock.redis.connections.RedisFailures;
import java.time.Duration;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;

/** The pipelines of one client to one server: one for renewals, which nothing holds up, and one for all else. Thread-safe. */
public final class Pipelines implements AutoCloseable {
    private final Deadlines deadlines = new Deadlines("lock-redis-deadlines");
    private final Pipeline calls;
    private final Pipeline renewals;

    /**
     * Connects when there is something to send.
     *
     * @param connecting opens a connection that has logged in, and connects once only
     * @param silence how long the server may be silent after a request is late
     * @param failures what its errors mean
     */
    public Pipelines(Supplier<Connection> connecting, Duration silence, RedisFailures failures) {
        calls = new Pipeline("lock-redis-calls", connecting, silence, deadlines, failures);
        renewals = new Pipeline("lock-redis-renewals", connecting, silence, deadlines, failures);
    }

    public Pipeline calls() {
        return calls;
    }

    public Pipeline renewals() {
        return renewals;
    }

    @Override
    public void close() {
        calls.close();
        renewals.close();
        deadlines.close();
    }
}
