// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.AsyncClaim;
import io.mortise.lock.spi.AsyncLockBackend;
import io.mortise.lock.spi.AsyncRenewal;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Asks a backend that knows no other way on threads that wait. Thread-safe. */
final class ThreadedBackend extends ForwardingBackend implements AsyncLockBackend {
    /** What is left of a lease at a store that does not tell. */
    private static final Duration UNKNOWN = Duration.ofSeconds(15);

    private final QuestionThreads threads;

    ThreadedBackend(LockBackend inner, QuestionThreads threads) {
        super(inner);
        this.threads = threads;
    }

    @Override
    public AsyncClaim asyncClaim(ClaimRequest request) {
        return new ThreadedClaim(inner().claim(request, () -> {}));
    }

    @Override
    public CompletionStage<List<Answer>> renewAllAsync(List<AsyncRenewal> renewals, Duration atMost) {
        List<Renewal> batch = renewals.stream()
                .map(renewal -> new Renewal(((ThreadedClaim) renewal.claim()).claim, renewal.lease()))
                .toList();
        return threads.ask(atMost, left -> inner().renewAll(batch, left));
    }

    /** A store that does not tell who holds a lock has to be tried. */
    @Override
    public CompletionStage<Optional<Duration>> look(String lock, Duration atMost) {
        if (!features().contains(Feature.LISTABLE)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return threads.ask(atMost, left -> inner().inspect(lock, left).map(ThreadedBackend::remaining));
    }

    private static Duration remaining(LockHolder holder) {
        return holder.remaining().orElse(UNKNOWN);
    }

    /** A claim whose requests wait on threads. */
    private final class ThreadedClaim implements AsyncClaim {
        private final Claim claim;
        private volatile boolean asked;
        private volatile @Nullable StoreIncarnation incarnation;

        ThreadedClaim(Claim claim) {
            this.claim = claim;
        }

        @Override
        public CompletionStage<Boolean> tryAcquire(Duration atMost) {
            return threads.ask(atMost, this::tryOnce);
        }

        private boolean tryOnce(Duration atMost) throws InterruptedException {
            asked = true;
            long end = System.nanoTime() + atMost.toNanos();
            boolean yes = claim.tryAcquire(atMost);
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            incarnation = claim.storeIncarnation(left).orElse(null);
            return yes;
        }

        /** A claim whose try never got a thread has nothing to release. */
        @Override
        public CompletionStage<Boolean> release(Duration atMost) {
            return asked ? threads.ask(atMost, claim::release) : CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletionStage<Boolean> raiseToken(long token, Duration atMost) {
            return threads.ask(atMost, left -> claim.raiseToken(token, left));
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
}
