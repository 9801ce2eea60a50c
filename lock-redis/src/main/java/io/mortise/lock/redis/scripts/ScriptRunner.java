// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.redis.connections.PooledConnection;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.spi.BackendException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Runs scripts where their keys live, by the calling thread, in its time. Thread-safe. */
public final class ScriptRunner {
    private final Connections connections;

    public ScriptRunner(Connections connections) {
        this.connections = connections;
    }

    /**
     * Runs one script; an interrupt is left for later.
     *
     * @throws BackendException if the answer is not known
     */
    public Object run(ScriptCall call, Deadline deadline) {
        return deadline.uninterruptibly(() -> talk(call.slot(), deadline, exchange -> exchange.run(call)));
    }

    /**
     * Talks to the server that has a slot, and to another one if that one says so.
     *
     * @throws BackendException if the answer is not known
     */
    public <T> T talk(int slot, Deadline deadline, Function<ScriptPipeline, T> talk) throws InterruptedException {
        try {
            return talk(connections.borrow(slot, deadline), deadline, false, talk);
        } catch (JedisRedirectionException redirection) {
            return follow(slot, redirection, deadline, talk);
        } catch (JedisConnectionException failure) {
            connections.topology().failed(slot);
            throw RedisFailures.unanswered(failure);
        } catch (JedisException failure) {
            throw RedisFailures.unanswered(failure);
        }
    }

    private <T> T follow(int slot, JedisRedirectionException to, Deadline deadline, Function<ScriptPipeline, T> talk)
            throws InterruptedException {
        try {
            PooledConnection other = connections.borrowElsewhere(slot, to, deadline);
            return talk(other, deadline, to instanceof JedisAskDataException, talk);
        } catch (JedisException failure) {
            throw RedisFailures.unanswered(failure);
        }
    }

    /**
     * Runs many scripts, each server's together, none in the time of the others. An interrupt is left for later.
     *
     * @return for each script its answer, or the exception that tells why there is none
     */
    public List<Object> runAll(List<ScriptCall> calls, Deadline deadline, Replication replication) {
        Object[] answers = new Object[calls.size()];
        Map<Pool<Connection>, List<Integer>> servers = new LinkedHashMap<>();
        for (int i = 0; i < answers.length; i++) {
            int slot = calls.get(i).slot();
            try {
                Pool<Connection> server = deadline.uninterruptibly(() -> connections.server(slot, deadline.part(2)));
                servers.computeIfAbsent(server, unused -> new ArrayList<>()).add(i);
            } catch (RuntimeException unknown) {
                answers[i] = unknown;
            }
        }
        int left = servers.size();
        for (Map.Entry<Pool<Connection>, List<Integer>> server : servers.entrySet()) {
            List<ScriptCall> its = server.getValue().stream().map(calls::get).toList();
            List<Object> told = runAtOneServer(server.getKey(), its, deadline.part(left--), replication);
            for (int i = 0; i < told.size(); i++) {
                answers[server.getValue().get(i)] = told.get(i);
            }
        }
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] instanceof JedisRedirectionException elsewhere) {
                answers[i] = runElsewhere(calls.get(i), elsewhere, deadline, replication);
            }
        }
        return Arrays.asList(answers);
    }

    private Object runElsewhere(
            ScriptCall call, JedisRedirectionException redirection, Deadline deadline, Replication replication) {
        try {
            return deadline.uninterruptibly(() -> follow(call.slot(), redirection, deadline, exchange -> {
                Object answer = exchange.run(call);
                replication.confirm(exchange);
                return answer;
            }));
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    private List<Object> runAtOneServer(
            Pool<Connection> server, List<ScriptCall> calls, Deadline deadline, Replication replication) {
        try {
            return deadline.uninterruptibly(
                    () -> talk(connections.borrowFrom(server, deadline), deadline, false, exchange -> {
                        List<Object> answers = exchange.runAll(calls);
                        replication.confirm(exchange);
                        return answers;
                    }));
        } catch (RuntimeException failure) {
            calls.forEach(call -> connections.topology().failed(call.slot()));
            return Collections.nCopies(calls.size(), failure);
        }
    }

    private static <T> T talk(
            PooledConnection borrowed, Deadline deadline, boolean asking, Function<ScriptPipeline, T> talk) {
        try (borrowed) {
            return talk.apply(new ScriptPipeline(borrowed.connection(), deadline, asking));
        } catch (JedisConnectionException failure) {
            borrowed.failed(failure);
            throw failure;
        }
    }
}
