// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.KeyText;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.Pool;

/** Reads who holds which lock, and revokes locks, for operators. Thread-safe. */
public final class LockListing {
    /** A step takes the server a few milliseconds, in which it answers nobody else; fewer keys make the whole pass longer. */
    private static final String KEYS_IN_ONE_STEP = "4000";

    private static final String SCAN_START = "0";

    private static final Logger LOG = System.getLogger(LockListing.class.getName());

    private final OperationContext context;
    private final Connections connections;

    public LockListing(OperationContext context, Connections connections) {
        this.context = context;
        this.connections = connections;
    }

    public Optional<LockHolder> inspect(String lock, CallDeadline deadline) throws InterruptedException {
        return holder(lock, inspected(keys(lock), deadline));
    }

    /** Keys of somebody else among those of locks are left out, and named in the log: they hide no lock. */
    public List<LockHolder> list(String beginning, String after, int limit, CallDeadline deadline)
            throws InterruptedException {
        List<LockHolder> page = new ArrayList<>();
        String last = after;
        while (true) {
            int missing = limit - page.size();
            List<String> names = names(beginning, last, missing, deadline);
            page.addAll(holders(names, deadline));
            if (page.size() == limit || names.size() < missing) {
                return page;
            }
            // Some were released meanwhile: the page is filled from behind them.
            last = names.get(names.size() - 1);
        }
    }

    public boolean revoke(String lock, String reason, boolean now, CallDeadline deadline) throws InterruptedException {
        LockKeys keys = keys(lock);
        while (true) {
            List<?> found = (List<?>) inspected(keys, deadline);
            if (found == null) {
                return false;
            }
            String owner = RedisReply.text(found.get(0));
            ScriptCall call = ScriptCall.of(
                    Script.REVOKE,
                    List.of(keys.lock(), keys.queue(), keys.ended(owner), keys.token()),
                    owner,
                    KeyText.encode(reason),
                    now ? "now" : "later",
                    context.reachable());
            if (RedisReply.number(context.scripts().run(call, deadline)) == 1) {
                return true;
            }
        }
    }

    private List<LockHolder> holders(List<String> names, CallDeadline deadline) throws InterruptedException {
        List<ScriptCall> calls =
                names.stream().map(name -> inspection(keys(name))).toList();
        List<Object> told = context.scripts().runAll(calls, deadline, Replication.NONE);
        List<LockHolder> holders = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Object answer = told.get(i);
            if (answer instanceof RuntimeException failure && !RedisFailures.isForeign(failure)) {
                throw failure;
            } else if (answer instanceof RuntimeException || isEndless(answer)) {
                LOG.log(
                        Level.WARNING,
                        "the key {0} holds no lock, or one without a time to live, and is not listed; look at it, then delete it",
                        keys(name).lock());
            } else {
                holder(name, answer).ifPresent(holders::add);
            }
        }
        return holders;
    }

    /** The first names after another one, from the keys of all servers. */
    private List<String> names(String beginning, String after, int limit, CallDeadline deadline)
            throws InterruptedException {
        String prefix = context.prefix();
        TreeSet<String> first = new TreeSet<>();
        for (Pool<Connection> server : connections.servers(deadline)) {
            connections.use(server, deadline, connection -> {
                scan(connection, LockKeys.pattern(prefix, beginning), deadline, key -> {
                    String name = LockKeys.name(prefix, key);
                    if (name == null) {
                        LOG.log(Level.DEBUG, "the key {0} is not that of a lock", key);
                    } else if (name.compareTo(after) > 0 || (after.isEmpty() && name.isEmpty())) {
                        first.add(name);
                        if (first.size() > limit) {
                            first.pollLast();
                        }
                    }
                });
                return first;
            });
        }
        return List.copyOf(first);
    }

    /** A counter that has expired was not above the clock. */
    public long highestToken(CallDeadline deadline) throws InterruptedException {
        long highest = 0;
        for (Pool<Connection> server : connections.servers(deadline)) {
            long its = connections.use(server, deadline, connection -> {
                List<String> counters = new ArrayList<>();
                scan(connection, LockKeys.counters(context.prefix()), deadline, counters::add);
                long last = 0;
                for (String counter : counters) {
                    connection.setSoTimeout(deadline.remainingMillis());
                    connection.sendCommand(Command.GET, counter);
                    Object reply = connection.getOne();
                    last = reply == null ? last : Math.max(last, RedisReply.number(reply));
                }
                connection.setSoTimeout(deadline.remainingMillis());
                connection.sendCommand(Command.TIME);
                List<?> time = (List<?>) connection.getOne();
                return Math.max(last, RedisReply.number(time.get(0)) * 1_000_000 + RedisReply.number(time.get(1)));
            });
            highest = Math.max(highest, its);
        }
        return highest;
    }

    /** Scans the keys of one server in small steps, so that it answers others in between. May find a key more than once. */
    private static void scan(Connection connection, String pattern, CallDeadline deadline, Consumer<String> found) {
        String cursor = SCAN_START;
        do {
            if (deadline.hasPassed()) {
                throw new BackendException(
                        "to list locks, Redis looks at all keys of the database, and did not finish within "
                                + deadline.atMost().toMillis()
                                + " ms; make the call timeout longer, or give the locks a database of their own",
                        null);
            }
            connection.setSoTimeout(deadline.remainingMillis());
            connection.sendCommand(Command.SCAN, cursor, "MATCH", pattern, "COUNT", KEYS_IN_ONE_STEP);
            List<?> step = (List<?>) connection.getOne();
            cursor = RedisReply.text(step.get(0));
            ((List<?>) step.get(1)).forEach(key -> found.accept(RedisReply.text(key)));
        } while (!cursor.equals(SCAN_START));
    }

    private LockKeys keys(String lock) {
        return LockKeys.of(context.prefix(), lock);
    }

    private @Nullable Object inspected(LockKeys keys, CallDeadline deadline) throws InterruptedException {
        return context.scripts().talk(keys.slot(), deadline, pipeline -> pipeline.run(inspection(keys)));
    }

    private static ScriptCall inspection(LockKeys keys) {
        return ScriptCall.of(Script.INSPECT, List.of(keys.lock(), keys.queue()));
    }

    private static boolean isEndless(@Nullable Object reply) {
        return reply instanceof List<?> parts && RedisReply.number(parts.get(5)) < 0;
    }

    private static Optional<LockHolder> holder(String lock, @Nullable Object reply) {
        if (!(reply instanceof List<?> parts)) {
            return Optional.empty();
        }
        String reason = RedisReply.text(parts.get(4));
        long left = RedisReply.number(parts.get(5));
        if (isEndless(reply)) {
            throw RedisFailures.noTimeToLive(lock);
        }
        return Optional.of(new LockHolder(
                lock,
                KeyText.decode(RedisReply.text(parts.get(3))),
                RedisReply.number(parts.get(1)),
                Duration.of(RedisReply.number(parts.get(2)), ChronoUnit.MICROS),
                Optional.of(Duration.ofMillis(left)),
                OptionalInt.of((int) RedisReply.number(parts.get(6))),
                reason.isEmpty() ? Optional.empty() : Optional.of(KeyText.decode(reason))));
    }
}
