// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.connections.Topology;
import io.mortise.lock.redis.operations.PipelinedClaim;
import io.mortise.lock.redis.pipeline.Pipelines;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.AsyncClaim;
import io.mortise.lock.spi.AsyncLockBackend;
import io.mortise.lock.spi.AsyncRenewal;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;

/** A backend of one server that can also be asked without a thread that waits, over connections of its own. Thread-safe. */
final class PipelinedRedisBackend extends RedisBackend implements AsyncLockBackend {
    private static final long NO_KEY = -2;
    private static final long NO_TIME_TO_LIVE = -1;
    private static final Duration ENDLESS = Duration.ofSeconds(15);

    private final Pipelines pipelines;

    PipelinedRedisBackend(
            Topology topology, String prefix, @Nullable ReleaseListener listener, Pipelines pipelines, int many) {
        super(topology, prefix, Replication.NONE, listener, pipelines.calls(), many);
        this.pipelines = pipelines;
    }

    /** Whether calls find a shared connection that is alive; opens one if there is none. */
    boolean canShare() {
        return pipelines.calls().isAlive();
    }

    @Override
    public AsyncClaim asyncClaim(ClaimRequest request) {
        return new PipelinedClaim(context(), pipelines, request);
    }

    @Override
    public CompletionStage<List<Answer>> renewAllAsync(List<AsyncRenewal> renewals, Duration atMost) {
        return PipelinedClaim.renewAll(pipelines, renewals, atMost);
    }

    @Override
    public CompletionStage<Optional<Duration>> look(String lock, Duration atMost) {
        return pipelines
                .calls()
                .send(
                        atMost,
                        Command.PTTL,
                        LockKeys.of(context().prefix(), lock).lock())
                .thenApply(reply -> {
                    long left = RedisReply.number(Objects.requireNonNull(reply.value()));
                    if (left == NO_KEY) {
                        return Optional.empty();
                    }
                    return Optional.of(left == NO_TIME_TO_LIVE ? ENDLESS : Duration.ofMillis(left));
                });
    }

    @Override
    public void close() {
        pipelines.close();
        super.close();
    }
}
