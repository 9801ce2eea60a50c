// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.scripts.ScriptPipeline;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.redis.scripts.ServerState;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * Remembers, for each connection, which incarnation of the server process (Redis' {@code run_id}) it talks to. A
 * connection ends with the process at its other end, so its incarnation stays the same; the server is asked again now
 * and then for its clock. Thread-safe.
 */
public final class StoreIncarnationCache {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    /**
     * A request that a server answered.
     *
     * @param connection over which it was answered; null if that is shared
     * @param answeredBy the incarnation that answered, if that is known
     * @param sentAt when it was sent, in the time of {@link System#nanoTime()}
     */
    record Request(
            @Nullable Connection connection, @Nullable StoreIncarnation answeredBy, long sentAt) {}

    private record Known(StoreIncarnation incarnation, long askedAt) {}

    private final ScriptRunner scripts;
    private final Map<Connection, Known> incarnations = Collections.synchronizedMap(new WeakHashMap<>());

    public StoreIncarnationCache(ScriptRunner scripts) {
        this.scripts = scripts;
    }

    /** The incarnation that answered a request; throws {@link BackendException} if the server does not tell. */
    StoreIncarnation incarnationThatAnswered(Request request, int slot, CallDeadline deadline)
            throws InterruptedException {
        if (request.answeredBy() != null) {
            return request.answeredBy();
        }
        Known known = incarnations.get(request.connection());
        if (known != null && System.nanoTime() - known.askedAt() < FRESH_NANOS) {
            return known.incarnation();
        }
        return scripts.talk(slot, deadline, pipeline -> {
            Known now = new Known(ask(pipeline), System.nanoTime());
            incarnations.put(pipeline.connection(), now);
            if (request.connection() != null && now.incarnation().startedBefore() - request.sentAt() < 0) {
                // Another connection, but the process ran before the request was sent: no other process answered it.
                incarnations.put(request.connection(), now);
            }
            return now.incarnation();
        });
    }

    /** The incarnation that answers now, whichever connection is used. */
    StoreIncarnation incarnationNow(int slot, CallDeadline deadline) throws InterruptedException {
        return scripts.talk(slot, deadline, pipeline -> {
            Known now = new Known(ask(pipeline), System.nanoTime());
            incarnations.put(pipeline.connection(), now);
            return now.incarnation();
        });
    }

    private static StoreIncarnation ask(ScriptPipeline pipeline) {
        long asked = System.nanoTime();
        ServerState state = pipeline.serverState();
        return state.incarnation(asked, System.nanoTime());
    }
}
