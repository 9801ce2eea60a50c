// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.redis.connections.PooledConnection;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.CallDeadline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.Pool;

/**
 * Sends scripts over one connection, many at once, and reads their answers in order; then waits for replicas if asked to. A
 * server that does not know a script yet gets its text. Used by one thread.
 */
public final class ScriptPipeline implements ScriptSender {
    /** What a connection surely takes from us while its server reads nothing: writing knows no time limit. */
    private static final int WINDOW_BYTES = 16_000;

    private final Connection connection;
    private final Pool<Connection> server;
    private final CallDeadline deadline;
    private final boolean asking;
    private final RedisFailures failures;
    private int firstReplyMillis;

    /**
     * {@code asking}: whether each script must follow an ASKING, as at a server of a Cluster that is just getting the slot.
     * {@code firstReplyMillis}: how long to wait for the first reply, at most until the deadline.
     */
    ScriptPipeline(
            PooledConnection borrowed,
            CallDeadline deadline,
            boolean asking,
            int firstReplyMillis,
            RedisFailures failures) {
        connection = borrowed.connection();
        server = borrowed.pool();
        this.deadline = deadline;
        this.asking = asking;
        this.firstReplyMillis = firstReplyMillis;
        this.failures = failures;
    }

    @Override
    public Object run(ScriptCall call) {
        return answer(runAll(List.of(call)).get(0));
    }

    @Override
    public boolean remove(String sortedSet, String member) {
        if (asking) {
            connection.sendCommand(Command.ASKING);
        }
        connection.sendCommand(Command.ZREM, sortedSet, member);
        return (Long) answer(receive()) == 1;
    }

    /** The answers of some scripts in their order; an error of the server stands there as an exception. */
    List<Object> runAll(List<ScriptCall> calls) {
        List<Object> answers = new ArrayList<>(calls.size());
        int from = 0;
        while (from < calls.size()) {
            int to = from + 1;
            int bytes = calls.get(from).size();
            while (to < calls.size() && bytes + calls.get(to).size() < WINDOW_BYTES) {
                bytes += calls.get(to++).size();
            }
            answers.addAll(runTogether(calls.subList(from, to)));
            from = to;
        }
        return answers;
    }

    @Override
    public void confirm(Replication replication) {
        int enough = replication.replicas();
        if (enough == 0) {
            return;
        }
        long millis = replication.timeout().toMillis();
        long patience = Math.min(millis, Math.max(1, deadline.remainingMillis() - 20L));
        connection.sendCommand(Command.WAIT, String.valueOf(enough), String.valueOf(patience));
        Object reply = read();
        if (reply instanceof JedisDataException error) {
            throw failures.unconfirmed(error);
        }
        long have = (Long) reply;
        if (have < enough) {
            throw new BackendException(
                    "only " + have + " of " + enough + " replicas confirmed within " + millis + " ms", null);
        }
    }

    /** Throws {@link JedisDataException} if this user may not wait for replicas, and is to. */
    public void checkConfirmation(Replication replication) {
        if (replication.replicas() > 0) {
            connection.sendCommand(Command.WAIT, "0", "1");
            answer(read());
        }
    }

    /** What the server tells of its process, of its role and of its clock. */
    public ServerState serverState() {
        connection.sendCommand(Command.INFO, "server");
        connection.sendCommand(Command.INFO, "replication");
        connection.sendCommand(Command.TIME);
        Object server = read();
        Object replication = read();
        Object time = read();
        return new ServerState(
                RedisReply.text(answer(server)), RedisReply.text(answer(replication)), (List<?>) answer(time));
    }

    @Override
    public Pool<Connection> server() {
        return server;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** A connection is asked for that, by {@link #serverState}. */
    @Override
    public @Nullable StoreIncarnation answeredBy() {
        return null;
    }

    private List<Object> runTogether(List<ScriptCall> calls) {
        calls.forEach(call -> send(call, true));
        List<Object> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            answers.add(receive());
        }
        for (int i = 0; i < calls.size(); i++) {
            if (answers.get(i) instanceof JedisNoScriptException) {
                send(calls.get(i), false);
                answers.set(i, receive());
            }
        }
        return answers;
    }

    private void send(ScriptCall call, boolean known) {
        if (asking) {
            connection.sendCommand(Command.ASKING);
        }
        connection.sendCommand(known ? Command.EVALSHA : Command.EVAL, call.parameters(known));
    }

    private Object receive() {
        if (asking) {
            answer(read());
        }
        return read();
    }

    private Object read() {
        try {
            connection.setSoTimeout(Math.min(firstReplyMillis, deadline.remainingMillis()));
            Object reply = connection.getOne();
            firstReplyMillis = Integer.MAX_VALUE;
            return reply;
        } catch (JedisDataException error) {
            return error;
        } catch (BackendException late) {
            // The reply is still to come: no other call may read it.
            connection.setBroken();
            throw late;
        }
    }

    private static Object answer(Object reply) {
        if (reply instanceof JedisDataException error) {
            throw error;
        }
        return reply;
    }
}
