// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.pipeline.Pipeline;
import io.mortise.lock.redis.pipeline.Reply;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptSender;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/** Sends what one call asks over a connection that others share. Each request has an answer of its own, however late. */
final class SharedSender implements ScriptSender {
    private final Pipeline pipeline;
    private final Pool<Connection> server;
    private final CallDeadline deadline;
    private @Nullable StoreIncarnation answeredBy;

    /** {@code server}: what stands for the server to which the pipeline leads. */
    SharedSender(Pipeline pipeline, Pool<Connection> server, CallDeadline deadline) {
        this.pipeline = pipeline;
        this.server = server;
        this.deadline = deadline;
    }

    @Override
    public Object run(ScriptCall call) throws InterruptedException {
        return answer(pipeline.send(call, left()));
    }

    @Override
    public boolean remove(String sortedSet, String member) throws InterruptedException {
        return (Long) answer(pipeline.send(left(), Command.ZREM, sortedSet, member)) == 1;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadline.remainingNanos()));
    }

    private Object answer(CompletableFuture<Reply> asked) throws InterruptedException {
        if (!deadline.awaitEnd(asked)) {
            pipeline.doubt();
            throw deadline.noAnswer(end(asked));
        }
        try {
            Reply reply = asked.join();
            answeredBy = reply.incarnation();
            return Objects.requireNonNull(reply.value());
        } catch (CompletionException failed) {
            Throwable failure = failed.getCause();
            if (failure instanceof Error error) {
                throw error;
            }
            BackendException told = (BackendException) Objects.requireNonNull(failure);
            if (told.getCause() instanceof JedisDataException answered) {
                throw answered;
            }
            pipeline.doubt();
            throw told;
        }
    }

    /** When a request cannot change anything any more: it fails when its time is over, and says what it may still do. */
    private static CompletableFuture<?> end(CompletableFuture<Reply> asked) {
        CompletionStage<?> over = CompletableFuture.completedStage(null);
        return asked.<CompletionStage<?>>handle((reply, failure) ->
                        failure instanceof BackendException late ? late.end().orElse(over) : over)
                .thenCompose(end -> end)
                .toCompletableFuture();
    }

    /** A backend that waits for replicas has no shared connection. */
    @Override
    public void confirm(Replication replication) {
        if (replication.replicas() > 0) {
            throw new IllegalStateException("replicas are waited for on the connection of one call");
        }
    }

    @Override
    public Pool<Connection> server() {
        return server;
    }

    @Override
    public @Nullable Connection connection() {
        return null;
    }

    @Override
    public @Nullable StoreIncarnation answeredBy() {
        return answeredBy;
    }
}
