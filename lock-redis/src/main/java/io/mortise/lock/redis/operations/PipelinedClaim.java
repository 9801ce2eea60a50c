// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.Loss;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.pipeline.Pipelines;
import io.mortise.lock.redis.pipeline.Reply;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.AsyncClaim;
import io.mortise.lock.spi.AsyncRenewal;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** The scripts of a {@link RedisClaim}, sent through the pipelines of one server. */
public final class PipelinedClaim implements AsyncClaim {
    /** As many as surely fit into the window of a connection. */
    private static final int MOST_RENEWED_BY_ONE_SCRIPT = 40;

    private final Pipelines pipelines;
    private final RedisClaim claim;
    private volatile boolean inDoubt;
    private volatile @Nullable StoreIncarnation incarnation;

    public PipelinedClaim(OperationContext context, Pipelines pipelines, ClaimRequest request) {
        this.pipelines = pipelines;
        claim = new RedisClaim(context, request, () -> {});
    }

    @Override
    public CompletionStage<Boolean> tryAcquire(Duration atMost) {
        Moment asked = QueuePlace.now();
        boolean before = inDoubt;
        inDoubt = true;
        return pipelines.calls().send(claim.acquisition(), atMost).handle((reply, failure) -> {
            if (failure != null) {
                // Where the script was refused there is no grant.
                inDoubt = before || !isErrorReply(failure);
                throw wrapped(failure);
            }
            inDoubt = before;
            incarnation = reply.incarnation();
            return claim.tried((List<?>) value(reply), asked);
        });
    }

    private static boolean isErrorReply(Throwable failure) {
        return failure.getCause() instanceof JedisDataException;
    }

    private static CompletionException wrapped(Throwable failure) {
        return failure instanceof CompletionException already ? already : new CompletionException(failure);
    }

    private static Object value(Reply reply) {
        return Objects.requireNonNull(reply.value());
    }

    @Override
    public CompletionStage<Boolean> release(Duration atMost) {
        return pipelines
                .calls()
                .send(claim.releaseCall(inDoubt), atMost)
                .thenApply(reply -> claim.isHeld(RedisReply.text(value(reply))));
    }

    @Override
    public CompletionStage<Boolean> raiseToken(long token, Duration atMost) {
        return pipelines
                .calls()
                .send(claim.raising(token), atMost)
                .thenApply(reply -> RedisReply.number(value(reply)) == 1);
    }

    /** Renews claims of one server with few scripts. Fails only if none of them has an answer. */
    public static CompletionStage<List<Answer>> renewAll(
            Pipelines pipelines, List<AsyncRenewal> renewals, Duration atMost) {
        long asked = System.nanoTime();
        List<RenewedTogether> parts = new ArrayList<>();
        for (int from = 0; from < renewals.size(); from += MOST_RENEWED_BY_ONE_SCRIPT) {
            int to = Math.min(renewals.size(), from + MOST_RENEWED_BY_ONE_SCRIPT);
            parts.add(together(renewals.subList(from, to), asked));
        }
        CompletableFuture<?>[] ends = parts.stream()
                .map(part -> ask(pipelines, part, asked + atMost.toNanos()))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(ends).handle((all, failure) -> {
            List<Answer> answers =
                    parts.stream().flatMap(part -> part.answers().stream()).toList();
            if (failure != null && answers.stream().allMatch(answer -> answer == Answer.UNKNOWN)) {
                throw wrapped(failure);
            }
            return answers;
        });
    }

    private static RenewedTogether together(List<AsyncRenewal> renewals, long asked) {
        return new RenewedTogether(
                renewals.stream()
                        .map(renewal -> ((PipelinedClaim) renewal.claim()).claim)
                        .toList(),
                renewals.stream().map(AsyncRenewal::lease).toList(),
                asked);
    }

    /** Completes when all claims have their answers, or when a call gets none. */
    private static CompletableFuture<?> ask(Pipelines pipelines, RenewedTogether claims, long end) {
        return pipelines
                .renewals()
                .send(claims.next(), Duration.ofNanos(Math.max(1, end - System.nanoTime())))
                .thenCompose(reply -> {
                    claims.told((List<?>) value(reply));
                    return claims.isDone() ? CompletableFuture.completedFuture(null) : ask(pipelines, claims, end);
                });
    }

    @Override
    public long fencingToken() {
        return claim.fencingToken();
    }

    @Override
    public Duration leaseSpent() {
        return claim.leaseSpent();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return claim.retryAfter();
    }

    @Override
    public Optional<StoreIncarnation> storeIncarnation() {
        return Optional.ofNullable(incarnation);
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return claim.holdsUntilLeaseEnds();
    }

    @Override
    public Loss loss() {
        return claim.loss();
    }
}
