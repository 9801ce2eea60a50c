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
import java.util.Collections;
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

    /** Renews claims of one server with few scripts. Fails only if none of them was answered. */
    public static CompletionStage<List<Answer>> renewAll(
            Pipelines pipelines, List<AsyncRenewal> renewals, Duration atMost) {
        List<CompletableFuture<List<Answer>>> parts = new ArrayList<>();
        for (int from = 0; from < renewals.size(); from += MOST_RENEWED_BY_ONE_SCRIPT) {
            int to = Math.min(renewals.size(), from + MOST_RENEWED_BY_ONE_SCRIPT);
            parts.add(renewTogether(pipelines, renewals.subList(from, to), atMost));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).handle((all, failure) -> {
            if (failure != null && parts.stream().allMatch(CompletableFuture::isCompletedExceptionally)) {
                throw wrapped(failure);
            }
            List<Answer> answers = new ArrayList<>(renewals.size());
            for (int i = 0; i < parts.size(); i++) {
                int size = Math.min(MOST_RENEWED_BY_ONE_SCRIPT, renewals.size() - i * MOST_RENEWED_BY_ONE_SCRIPT);
                answers.addAll(
                        parts.get(i).isCompletedExceptionally()
                                ? Collections.nCopies(size, Answer.UNKNOWN)
                                : parts.get(i).join());
            }
            return answers;
        });
    }

    private static CompletableFuture<List<Answer>> renewTogether(
            Pipelines pipelines, List<AsyncRenewal> renewals, Duration atMost) {
        List<RedisClaim> claims = renewals.stream()
                .map(renewal -> ((PipelinedClaim) renewal.claim()).claim)
                .toList();
        List<Duration> leases = renewals.stream().map(AsyncRenewal::lease).toList();
        long asked = System.nanoTime();
        return pipelines
                .renewals()
                .send(RedisClaim.renewal(claims, leases, asked), atMost)
                .thenApply(reply -> {
                    List<?> told = (List<?>) value(reply);
                    List<Answer> answers = new ArrayList<>(claims.size());
                    for (int i = 0; i < claims.size(); i++) {
                        answers.add(claims.get(i).renewed(told.get(i), leases.get(i), asked));
                    }
                    return answers;
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
