// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Wraps a backend, and lets any of its calls throw anything, before or after the store has acted. Thread-safe. */
public final class ThrowingStore extends ForwardingBackend {
    /** A call into the backend, or the moment after the store has acted on it. */
    public enum Call {
        CLAIM,
        TRY,
        AFTER_TRY,
        RENEW_ALL,
        RENEW,
        AFTER_RENEW,
        RELEASE,
        AFTER_RELEASE,
        LEASE_SPENT,
        FENCING_TOKEN,
        RETRY_AFTER,
        HOLDS_UNTIL_LEASE_ENDS,
        LOSS
    }

    private final Map<Call, Deque<Supplier<? extends Throwable>>> planned = new EnumMap<>(Call.class);
    private final Map<Call, Runnable> always = new ConcurrentHashMap<>();
    private final Map<Call, Integer> counts = new ConcurrentHashMap<>();
    private volatile boolean losesNudges;
    private volatile int thrown;

    public ThrowingStore(LockBackend inner) {
        super(inner);
    }

    /** Lets one more call of a kind throw. */
    public synchronized void plan(Call call, Supplier<? extends Throwable> failure) {
        planned.computeIfAbsent(call, unused -> new ArrayDeque<>()).add(failure);
    }

    /** Does something at every call of a kind, which may block or throw; null for nothing. */
    public void always(Call call, @Nullable Runnable action) {
        if (action == null) {
            always.remove(call);
        } else {
            always.put(call, action);
        }
    }

    /** From now on the store's nudges do not arrive. */
    public void loseNudges() {
        losesNudges = true;
    }

    /** True once all that was planned has been thrown. */
    public synchronized boolean hasThrownAll() {
        return planned.values().stream().allMatch(Deque::isEmpty);
    }

    /** How many of the planned failures were thrown. */
    public int thrown() {
        return thrown;
    }

    /** Throws nothing any more. */
    public synchronized void heal() {
        planned.clear();
        always.clear();
    }

    public int calls(Call call) {
        return counts.getOrDefault(call, 0);
    }

    private void at(Call call) {
        counts.merge(call, 1, Integer::sum);
        Runnable action = always.get(call);
        if (action != null) {
            action.run();
        }
        Supplier<? extends Throwable> failure;
        synchronized (this) {
            Deque<Supplier<? extends Throwable>> failures = planned.get(call);
            failure = failures == null ? null : failures.poll();
            thrown += failure == null ? 0 : 1;
        }
        if (failure != null) {
            ThrowingStore.<RuntimeException>sneak(failure.get());
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        at(Call.CLAIM);
        return new ThrowingClaim(inner().claim(request, () -> {
            if (!losesNudges) {
                nudge.run();
            }
        }));
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        at(Call.RENEW_ALL);
        return renewOneByOne(renewals, atMost);
    }

    private final class ThrowingClaim extends ForwardingClaim {
        ThrowingClaim(Claim inner) {
            super(inner);
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            at(Call.TRY);
            boolean granted = super.tryAcquire(atMost);
            at(Call.AFTER_TRY);
            return granted;
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            at(Call.RENEW);
            boolean renewed = super.renew(lease, atMost);
            at(Call.AFTER_RENEW);
            return renewed;
        }

        @Override
        public boolean release(Duration atMost) {
            at(Call.RELEASE);
            boolean held = super.release(atMost);
            at(Call.AFTER_RELEASE);
            return held;
        }

        @Override
        public Duration leaseSpent() {
            at(Call.LEASE_SPENT);
            return super.leaseSpent();
        }

        @Override
        public long fencingToken() {
            at(Call.FENCING_TOKEN);
            return super.fencingToken();
        }

        @Override
        public Optional<Duration> retryAfter() {
            at(Call.RETRY_AFTER);
            return super.retryAfter();
        }

        @Override
        public boolean holdsUntilLeaseEnds() {
            at(Call.HOLDS_UNTIL_LEASE_ENDS);
            return super.holdsUntilLeaseEnds();
        }

        @Override
        public Loss loss() {
            at(Call.LOSS);
            return super.loss();
        }
    }
}
