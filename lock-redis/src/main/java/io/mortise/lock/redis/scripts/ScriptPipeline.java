// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.spi.BackendException;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * What goes over one connection in one call: scripts, one after the other without waiting in between, and then a wait for
 * replicas. A server that does not know a script yet gets its text. Used by one thread.
 */
public final class ScriptPipeline {
    /** What a connection surely takes without waiting for a server that does not read: writing knows no time limit. */
    private static final int WINDOW_BYTES = 16_000;

    private final Connection connection;
    private final Deadline deadline;
    private final boolean asking;

    /** {@code asking}: whether the server, one of a Cluster, has to be told that what comes is meant for it. */
    ScriptPipeline(Connection connection, Deadline deadline, boolean asking) {
        this.connection = connection;
        this.deadline = deadline;
        this.asking = asking;
    }

    /** The answer of one script. */
    public Object run(ScriptCall call) {
        return answer(runAll(List.of(call)).get(0));
    }

    /** The answers of some scripts in their order; what the server refused is there as an exception. */
    public List<Object> runAll(List<ScriptCall> calls) {
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

    /** How many replicas have what was written over this connection; waits until {@code enough} have. */
    public long replicas(int enough, long atMostMillis) {
        long patience = Math.min(atMostMillis, Math.max(1, deadline.leftMillis() - 20L));
        connection.sendCommand(Command.WAIT, String.valueOf(enough), String.valueOf(patience));
        return (Long) answer(read());
    }

    /** What the server says of itself, and its clock. */
    public List<Object> infoAndTime() {
        connection.sendCommand(Command.INFO, "server");
        connection.sendCommand(Command.TIME);
        Object info = read();
        Object time = read();
        return List.of(answer(info), answer(time));
    }

    /** What this goes over. */
    public Connection connection() {
        return connection;
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
            connection.setSoTimeout(deadline.leftMillis());
            return connection.getOne();
        } catch (JedisDataException refused) {
            return refused;
        } catch (BackendException late) {
            // Its reply is still to come: nobody else may read it.
            connection.setBroken();
            throw late;
        }
    }

    private static Object answer(Object reply) {
        if (reply instanceof JedisDataException refused) {
            throw refused;
        }
        return reply;
    }
}
