// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.ScriptPipeline;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;

/**
 * Remembers, for each connection, which incarnation of the server process (Redis' {@code run_id}) it talks to. A
 * connection ends with the process at its other end, so its incarnation stays the same; the server is asked again now
 * and then for its clock. Thread-safe.
 */
public final class StoreIncarnationCache {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Pattern RUN = Pattern.compile("(?m)^run_id:(\\S+)");
    private static final Pattern UPTIME = Pattern.compile("(?m)^uptime_in_seconds:(-?\\d+)");

    /** A request that a server answered, and when it was sent, in the time of {@link System#nanoTime()}. */
    record Request(Connection connection, long sentAt) {}

    private record Known(StoreIncarnation incarnation, long askedAt) {}

    private final ScriptRunner scripts;
    private final Map<Connection, Known> incarnations = Collections.synchronizedMap(new WeakHashMap<>());

    public StoreIncarnationCache(ScriptRunner scripts) {
        this.scripts = scripts;
    }

    /** The incarnation that answered a request; throws {@link BackendException} if the server does not tell. */
    StoreIncarnation incarnationThatAnswered(Request request, int slot, CallDeadline deadline)
            throws InterruptedException {
        Known known = incarnations.get(request.connection());
        if (known != null && System.nanoTime() - known.askedAt() < FRESH_NANOS) {
            return known.incarnation();
        }
        return scripts.talk(slot, deadline, pipeline -> {
            Known now = new Known(ask(pipeline), System.nanoTime());
            incarnations.put(pipeline.connection(), now);
            if (now.incarnation().startedBefore() - request.sentAt() < 0) {
                // Another connection, but the process ran before the request was sent: no other process answered it.
                incarnations.put(request.connection(), now);
            }
            return now.incarnation();
        });
    }

    private static StoreIncarnation ask(ScriptPipeline pipeline) {
        long asked = System.nanoTime();
        List<Object> told = pipeline.infoAndTime();
        long heard = System.nanoTime();
        String info = RedisReply.text(told.get(0));
        Matcher id = RUN.matcher(info);
        Matcher uptime = UPTIME.matcher(info);
        if (!id.find() || !uptime.find()) {
            throw new BackendException("Redis does not tell which run of it answers", null);
        }
        // Whole seconds, both of its ends cut off; less than none if the clock was set back.
        long ran = TimeUnit.SECONDS.toNanos(Math.max(0, Long.parseLong(uptime.group(1)) - 1));
        List<?> time = (List<?>) told.get(1);
        long micros = TimeUnit.SECONDS.toMicros(RedisReply.number(time.get(0))) + RedisReply.number(time.get(1));
        long between = asked + (heard - asked) / 2;
        return new StoreIncarnation(id.group(1), heard - ran, micros - TimeUnit.NANOSECONDS.toMicros(between));
    }
}
