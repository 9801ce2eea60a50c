// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** One request of a {@link Pipeline}, which guards its fields; the futures are completed outside of the pipeline's lock. */
final class PipelinedRequest {
    private final Command command;
    private final byte[][] arguments;
    private final @Nullable ScriptCall script;
    private final Duration atMost;
    private final RedisFailures failures;
    private final CompletableFuture<Reply> answer = new CompletableFuture<>();
    private final CompletableFuture<?> end = new CompletableFuture<>();
    private final long deadline;
    private final int size;

    /** Whether it has been put in line; read by the thread that sends it. */
    private volatile boolean taken;

    private boolean known = true;
    private boolean overdue;
    private long sentAt;

    private PipelinedRequest(
            Command command, byte[][] arguments, @Nullable ScriptCall script, Duration atMost, RedisFailures failures) {
        this.command = command;
        this.arguments = arguments;
        size = size(arguments);
        this.script = script;
        this.atMost = atMost;
        this.failures = failures;
        deadline = System.nanoTime() + atMost.toNanos();
    }

    static PipelinedRequest of(RedisFailures failures, ScriptCall script, Duration atMost) {
        return new PipelinedRequest(Command.EVALSHA, script.parameters(true), script, atMost, failures);
    }

    static PipelinedRequest of(RedisFailures failures, Duration atMost, Command command, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
        }
        return new PipelinedRequest(command, bytes, null, atMost, failures);
    }

    CompletableFuture<Reply> answer() {
        return answer;
    }

    boolean isTaken() {
        return taken;
    }

    void setTaken() {
        taken = true;
    }

    long deadline() {
        return deadline;
    }

    /** Whether nobody waits for the answer any more. */
    boolean isOverdue() {
        return overdue;
    }

    long sentAt() {
        return sentAt;
    }

    /** About how many bytes it sends. */
    int size() {
        return size;
    }

    private static int size(byte[][] arguments) {
        int size = 50;
        for (byte[] argument : arguments) {
            size += argument.length + 10;
        }
        return size;
    }

    void write(Connection connection, long now) {
        sentAt = now;
        if (known || script == null) {
            connection.sendCommand(command, arguments);
        } else {
            connection.sendCommand(Command.EVAL, script.parameters(false));
        }
    }

    /** Whether it is to be sent again because the server does not know its script, with the text. */
    boolean isToBeSentWithText() {
        boolean again = known && script != null && !overdue;
        known &= !again;
        return again;
    }

    /** From now on only its end counts. */
    void setOverdue() {
        overdue = true;
    }

    /** Tells that there is no answer in time. */
    void failLate(boolean wasSent) {
        answer.completeExceptionally(new BackendException(
                failures.store() + " did not answer within " + atMost.toMillis() + " ms", null, wasSent ? end : null));
    }

    /** Tells the answer, or the error that the server answered with. */
    void complete(@Nullable Object value, StoreIncarnation incarnation) {
        if (value instanceof JedisDataException error) {
            fail(error);
        } else {
            answer.complete(new Reply(value, incarnation));
            end.complete(null);
        }
    }

    /** Tells that there is no answer: that of the server is an error, or the connection has ended. */
    void fail(Throwable failure) {
        Throwable told;
        try {
            told = failures.exceptionFor(failure);
        } catch (Error error) {
            told = error;
        }
        answer.completeExceptionally(told);
        end.complete(null);
    }
}
