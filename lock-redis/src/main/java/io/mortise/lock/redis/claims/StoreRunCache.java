// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.claims;

import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.ScriptPipeline;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreRun;
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
 * Which run of the server each connection leads to. A connection ends with the process at its other end, so what was learnt
 * of it once stays true; it is asked again now and then for the server's clock. Thread-safe.
 */
public final class StoreRunCache {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Pattern RUN = Pattern.compile("(?m)^run_id:(\\S+)");
    private static final Pattern UPTIME = Pattern.compile("(?m)^uptime_in_seconds:(-?\\d+)");

    /** A question, and what it went over. */
    record Asked(Connection connection, long at) {}

    private record Known(StoreRun run, long at) {}

    private final ScriptRunner scripts;
    private final Map<Connection, Known> known = Collections.synchronizedMap(new WeakHashMap<>());

    public StoreRunCache(ScriptRunner scripts) {
        this.scripts = scripts;
    }

    /**
     * The run that answered a question.
     *
     * @throws BackendException if the server does not tell
     */
    public StoreRun of(Asked asked, int slot, Deadline deadline) {
        Known learnt = known.get(asked.connection());
        if (learnt != null && System.nanoTime() - learnt.at() < FRESH_NANOS) {
            return learnt.run();
        }
        return deadline.uninterruptibly(() -> scripts.talk(slot, deadline, exchange -> {
            Known now = new Known(ask(exchange), System.nanoTime());
            known.put(exchange.connection(), now);
            if (now.run().startedBefore() - asked.at() < 0) {
                // Another connection, but the process was there before the question: nobody else answered it.
                known.put(asked.connection(), now);
            }
            return now.run();
        }));
    }

    private static StoreRun ask(ScriptPipeline exchange) {
        long asked = System.nanoTime();
        List<Object> told = exchange.infoAndTime();
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
        return new StoreRun(id.group(1), heard - ran, micros - TimeUnit.NANOSECONDS.toMicros(between));
    }
}
