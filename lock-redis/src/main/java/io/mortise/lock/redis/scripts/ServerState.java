// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server answered to {@code INFO server}, {@code INFO replication} and {@code TIME}. Immutable.
 *
 * @param server the text of the section
 * @param replication the text of the section
 * @param time seconds since the epoch, and microseconds
 */
public record ServerState(String server, String replication, List<?> time) {
    private static final Pattern RUN = Pattern.compile("(?m)^run_id:(\\S+)");
    private static final Pattern UPTIME = Pattern.compile("(?m)^uptime_in_seconds:(-?\\d+)");
    private static final Pattern REPLICA = Pattern.compile("(?m)^role:slave");
    private static final Pattern MASTER_HOST = Pattern.compile("(?m)^master_host:(\\S+)");
    private static final Pattern MASTER_PORT = Pattern.compile("(?m)^master_port:(\\S+)");

    /**
     * The incarnation of the server's process.
     *
     * @param asked the moment before the server was asked, in the time of {@link System#nanoTime()}
     * @param heard the moment after it answered
     * @throws BackendException if the server does not tell, and, as a refusal, if it is a replica: what it knows is its master's
     *     and no answer of its own
     */
    public StoreIncarnation incarnation(long asked, long heard) {
        Optional<String> master = masterOf(replication);
        if (master.isPresent()) {
            throw RedisFailures.replica(master.get());
        }
        Matcher id = RUN.matcher(server);
        Matcher uptime = UPTIME.matcher(server);
        if (!id.find() || !uptime.find()) {
            throw new BackendException("Redis does not tell which run of it answers", null);
        }
        // Whole seconds, both of its ends cut off; less than none if the clock was set back.
        long ran = TimeUnit.SECONDS.toNanos(Math.max(0, Long.parseLong(uptime.group(1)) - 1));
        long micros = TimeUnit.SECONDS.toMicros(RedisReply.number(time.get(0))) + RedisReply.number(time.get(1));
        long between = asked + (heard - asked) / 2;
        return new StoreIncarnation(id.group(1), heard - ran, micros - TimeUnit.NANOSECONDS.toMicros(between));
    }

    /** {@return the host and port of a replica's master, as its INFO tells; empty if the server is no replica} */
    public static Optional<String> masterOf(String info) {
        return REPLICA.matcher(info).find()
                ? Optional.of(first(MASTER_HOST, info) + ":" + first(MASTER_PORT, info))
                : Optional.empty();
    }

    private static String first(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? matcher.group(1) : "?";
    }
}
