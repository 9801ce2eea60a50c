// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.PooledConnection;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Runs scripts at the servers that have their keys, on the calling thread, within the time of the call. Thread-safe. */
public final class ScriptRunner {
    private final Connections connections;

    public ScriptRunner(Connections connections) {
        this.connections = connections;
    }

    /**
     * What a call says to a server.
     *
     * @param <S> what it is said through
     * @param <T> the answer
     */
    public interface Conversation<S extends ScriptSender, T> {
        T with(S sender) throws InterruptedException;
    }

    /** The answer of one script, which is sent once; throws {@link BackendException} if it is not known. */
    public Object run(ScriptCall call, CallDeadline deadline) throws InterruptedException {
        int slot = call.slot();
        return answer(
                slot,
                deadline,
                () -> talk(connections.borrow(slot, deadline), deadline, false, false, pipeline -> pipeline.run(call)),
                pipeline -> pipeline.run(call));
    }

    /**
     * Talks to the server that has a slot, and to another one if that one says so. If an idle connection brings no answer, a fresh
     * one is tried in the time that is left: so the conversation must do no harm if the server hears it twice, and even if it
     * hears the first one later. Throws {@link BackendException} as above.
     */
    public <T> T talk(int slot, CallDeadline deadline, Conversation<? super ScriptPipeline, T> conversation)
            throws InterruptedException {
        return answer(
                slot,
                deadline,
                () -> repeated(
                        () -> connections.borrow(slot, deadline),
                        () -> connections.failed(slot),
                        deadline,
                        conversation),
                conversation);
    }

    /** A step of a call. */
    private interface Step<T> {
        T run() throws InterruptedException;
    }

    private <T> T answer(
            int slot, CallDeadline deadline, Step<T> step, Conversation<? super ScriptPipeline, T> conversation)
            throws InterruptedException {
        try {
            return step.run();
        } catch (JedisRedirectionException redirection) {
            return follow(slot, redirection, deadline, conversation);
        } catch (JedisConnectionException failure) {
            connections.failed(slot);
            throw connections.failures().exceptionFor(failure);
        } catch (RuntimeException failure) {
            throw connections.failures().exceptionFor(failure);
        }
    }

    private <T> T repeated(
            Step<PooledConnection> borrowing,
            Runnable failed,
            CallDeadline deadline,
            Conversation<? super ScriptPipeline, T> conversation)
            throws InterruptedException {
        PooledConnection first = borrowing.run();
        if (first.isFresh()) {
            return talk(first, deadline, false, false, conversation);
        }
        try {
            return talk(first, deadline, false, true, conversation);
        } catch (JedisConnectionException unanswered) {
            failed.run();
        }
        try {
            return talk(borrowing.run(), deadline, false, false, conversation);
        } catch (RuntimeException failure) {
            throw connections.failures().afterSilence(failure);
        }
    }

    private <T> T follow(
            int slot,
            JedisRedirectionException redirection,
            CallDeadline deadline,
            Conversation<? super ScriptPipeline, T> conversation)
            throws InterruptedException {
        try {
            PooledConnection other = connections.borrowElsewhere(slot, redirection, deadline);
            return talk(other, deadline, redirection instanceof JedisAskDataException, false, conversation);
        } catch (RuntimeException failure) {
            throw connections.failures().exceptionFor(failure);
        }
    }

    private <T> T talk(
            PooledConnection borrowed,
            CallDeadline deadline,
            boolean asking,
            boolean leavesTime,
            Conversation<? super ScriptPipeline, T> conversation)
            throws InterruptedException {
        try (borrowed) {
            int firstReplyMillis = leavesTime ? Math.max(1, deadline.remainingMillis() / 2) : Integer.MAX_VALUE;
            return conversation.with(
                    new ScriptPipeline(borrowed, deadline, asking, firstReplyMillis, connections.failures()));
        } catch (JedisConnectionException failure) {
            borrowed.failed();
            throw failure;
        } catch (JedisDataException error) {
            if (RedisFailures.isReplica(error)) {
                // Where a name leads to the master, a new connection may find it.
                borrowed.failed();
            }
            throw error;
        }
    }

    /**
     * Runs many scripts, those of one server together; no server uses up the time of the others.
     *
     * @return for each script its answer, or the {@link BackendException} that tells why there is none
     */
    public List<Object> runAll(List<ScriptCall> calls, CallDeadline deadline, Replication replication)
            throws InterruptedException {
        Batch batch = new Batch(calls, deadline, replication);
        batch.run();
        return Arrays.asList(batch.answers);
    }

    /** An equal share of the time that is left. */
    public static CallDeadline part(CallDeadline deadline, int parts) {
        return deadline.within(Duration.ofNanos(Math.max(1, deadline.remainingNanos() / parts)));
    }

    /** Scripts that run together, by their places in the list, and their answers so far. */
    private final class Batch {
        private final List<ScriptCall> calls;
        private final CallDeadline deadline;
        private final Replication replication;
        private final Object[] answers;

        Batch(List<ScriptCall> calls, CallDeadline deadline, Replication replication) {
            this.calls = calls;
            this.deadline = deadline;
            this.replication = replication;
            this.answers = new Object[calls.size()];
        }

        void run() throws InterruptedException {
            Map<Pool<Connection>, List<Integer>> known = new LinkedHashMap<>();
            List<Integer> others = new ArrayList<>();
            for (int i = 0; i < answers.length; i++) {
                Pool<Connection> server = connections.known(slot(i));
                (server == null ? others : known.computeIfAbsent(server, unused -> new ArrayList<>())).add(i);
            }
            // The known servers come first: finding the others takes time if a server does not answer.
            runAt(known, others.isEmpty() ? 0 : 1);
            if (!others.isEmpty()) {
                runAt(find(others), 0);
            }
        }

        /** Asks once for all, because it may take all the time that there is. */
        private Map<Pool<Connection>, List<Integer>> find(List<Integer> others) throws InterruptedException {
            Map<Pool<Connection>, List<Integer>> servers = new LinkedHashMap<>();
            try {
                Set<Integer> slots = others.stream().map(this::slot).collect(Collectors.toSet());
                Map<Integer, Pool<Connection>> found = connections.find(slots, part(deadline, 2));
                for (int i : others) {
                    Pool<Connection> server = found.get(slot(i));
                    if (server == null) {
                        answers[i] = RedisFailures.unservedSlot(slot(i));
                    } else {
                        servers.computeIfAbsent(server, unused -> new ArrayList<>())
                                .add(i);
                    }
                }
            } catch (RuntimeException failure) {
                others.forEach(i -> answers[i] = connections.failures().exceptionFor(failure));
            }
            return servers;
        }

        /** Each server gets an equal share of the time that is left, and so does what is still to be done. */
        private void runAt(Map<Pool<Connection>, List<Integer>> servers, int stillToDo) throws InterruptedException {
            int left = servers.size() + stillToDo;
            for (Map.Entry<Pool<Connection>, List<Integer>> server : servers.entrySet()) {
                runAt(server.getKey(), server.getValue(), part(deadline, left--));
            }
        }

        private void runAt(Pool<Connection> server, List<Integer> its, CallDeadline share) throws InterruptedException {
            List<Object> told =
                    runAtOneServer(server, its.stream().map(calls::get).toList(), share);
            for (int i = 0; i < told.size(); i++) {
                Object answer = told.get(i);
                if (answer instanceof JedisRedirectionException elsewhere) {
                    answer = runElsewhere(calls.get(its.get(i)), elsewhere, share);
                }
                answers[its.get(i)] = answer instanceof RuntimeException failure
                        ? connections.failures().exceptionFor(failure)
                        : answer;
            }
        }

        private List<Object> runAtOneServer(Pool<Connection> server, List<ScriptCall> its, CallDeadline share)
                throws InterruptedException {
            try {
                return repeated(() -> connections.borrowFrom(server, share), () -> {}, share, pipeline -> {
                    List<Object> told = pipeline.runAll(its);
                    pipeline.confirm(replication);
                    return told;
                });
            } catch (RuntimeException failure) {
                its.forEach(call -> connections.failed(call.slot()));
                return Collections.nCopies(its.size(), connections.failures().exceptionFor(failure));
            }
        }

        private Object runElsewhere(ScriptCall call, JedisRedirectionException redirection, CallDeadline share)
                throws InterruptedException {
            try {
                return follow(call.slot(), redirection, share, pipeline -> {
                    Object answer = pipeline.run(call);
                    pipeline.confirm(replication);
                    return answer;
                });
            } catch (RuntimeException failure) {
                return failure;
            }
        }

        private int slot(int place) {
            return calls.get(place).slot();
        }
    }
}
