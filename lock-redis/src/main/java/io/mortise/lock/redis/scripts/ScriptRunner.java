// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import static io.mortise.lock.redis.connections.RedisFailures.FAILURES;

import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.PooledConnection;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
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
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Runs scripts at the servers that have their keys, on the calling thread, within the time of the call. Thread-safe. */
public final class ScriptRunner {
    private final Connections connections;

    public ScriptRunner(Connections connections) {
        this.connections = connections;
    }

    /** The answer of one script; throws {@link BackendException} if it is not known. */
    public Object run(ScriptCall call, CallDeadline deadline) throws InterruptedException {
        return talk(call.slot(), deadline, pipeline -> pipeline.run(call));
    }

    /** Talks to the server that has a slot, and to another one if that one says so; throws {@link BackendException} as above. */
    public <T> T talk(int slot, CallDeadline deadline, Function<ScriptPipeline, T> conversation)
            throws InterruptedException {
        try {
            return talk(connections.borrow(slot, deadline), deadline, false, conversation);
        } catch (JedisRedirectionException redirection) {
            return follow(slot, redirection, deadline, conversation);
        } catch (JedisConnectionException failure) {
            connections.failed(slot);
            throw FAILURES.exceptionFor(failure);
        } catch (RuntimeException failure) {
            throw FAILURES.exceptionFor(failure);
        }
    }

    private <T> T follow(
            int slot,
            JedisRedirectionException redirection,
            CallDeadline deadline,
            Function<ScriptPipeline, T> conversation)
            throws InterruptedException {
        try {
            PooledConnection other = connections.borrowElsewhere(slot, redirection, deadline);
            return talk(other, deadline, redirection instanceof JedisAskDataException, conversation);
        } catch (RuntimeException failure) {
            throw FAILURES.exceptionFor(failure);
        }
    }

    private static <T> T talk(
            PooledConnection borrowed,
            CallDeadline deadline,
            boolean asking,
            Function<ScriptPipeline, T> conversation) {
        try (borrowed) {
            return conversation.apply(new ScriptPipeline(borrowed.connection(), deadline, asking));
        } catch (JedisConnectionException failure) {
            borrowed.failed(failure);
            throw failure;
        }
    }

    /**
     * Runs many scripts, those of one server together; no server uses up the time of the others.
     *
     * @return for each script its answer, or the {@link BackendException} that tells why there is none
     */
    public List<Object> runAll(List<ScriptCall> calls, CallDeadline deadline, Replication replication)
            throws InterruptedException {
        Object[] answers = new Object[calls.size()];
        Map<Pool<Connection>, List<Integer>> servers = new LinkedHashMap<>();
        for (int i = 0; i < answers.length; i++) {
            try {
                Pool<Connection> server = connections.server(calls.get(i).slot(), part(deadline, 2));
                servers.computeIfAbsent(server, unused -> new ArrayList<>()).add(i);
            } catch (RuntimeException failure) {
                answers[i] = FAILURES.exceptionFor(failure);
            }
        }
        int left = servers.size();
        for (Map.Entry<Pool<Connection>, List<Integer>> server : servers.entrySet()) {
            List<ScriptCall> its = server.getValue().stream().map(calls::get).toList();
            List<Object> told = runAtOneServer(server.getKey(), its, part(deadline, left--), replication);
            for (int i = 0; i < told.size(); i++) {
                answers[server.getValue().get(i)] = told.get(i);
            }
        }
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] instanceof JedisRedirectionException elsewhere) {
                answers[i] = runElsewhere(calls.get(i), elsewhere, deadline, replication);
            }
            if (answers[i] instanceof RuntimeException failure) {
                answers[i] = FAILURES.exceptionFor(failure);
            }
        }
        return Arrays.asList(answers);
    }

    /** An equal share of the time that is left. */
    private static CallDeadline part(CallDeadline deadline, int parts) {
        return deadline.within(Duration.ofNanos(Math.max(1, deadline.remainingNanos() / parts)));
    }

    private List<Object> runAtOneServer(
            Pool<Connection> server, List<ScriptCall> calls, CallDeadline deadline, Replication replication)
            throws InterruptedException {
        try {
            return talk(connections.borrowFrom(server, deadline), deadline, false, pipeline -> {
                List<Object> answers = pipeline.runAll(calls);
                pipeline.confirm(replication);
                return answers;
            });
        } catch (RuntimeException failure) {
            calls.forEach(call -> connections.failed(call.slot()));
            return Collections.nCopies(calls.size(), FAILURES.exceptionFor(failure));
        }
    }

    private Object runElsewhere(
            ScriptCall call, JedisRedirectionException redirection, CallDeadline deadline, Replication replication)
            throws InterruptedException {
        try {
            return follow(call.slot(), redirection, deadline, pipeline -> {
                Object answer = pipeline.run(call);
                pipeline.confirm(replication);
                return answer;
            });
        } catch (RuntimeException failure) {
            return failure;
        }
    }
}
