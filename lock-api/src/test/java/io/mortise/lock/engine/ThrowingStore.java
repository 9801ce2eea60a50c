// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
        AFTER_RENEW_ALL,
        RENEW,
        AFTER_RENEW,
        RELEASE,
        AFTER_RELEASE,
        LEASE_SPENT,
        FENCING_TOKEN,
        RETRY_AFTER,
        POLL_AFTER,
        WHEN_LOST,
        HOLDS_UNTIL_LEASE_ENDS,
        LOSS,
        INSPECT,
        LIST,
        REVOKE,
        AFTER_REVOKE,
        FEATURES,
        SAFETY_LEVEL,
        LEASE_BOUNDS,
        CLOSE,
        FENCING_STRENGTH,
        STORE_INCARNATION,
        RAISE_TOKEN,
        RELIABLE_NANOS,
        HIGHEST_TOKEN,
        READ_REGISTER,
        WRITE_REGISTER
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
            Thrown.unchecked(failure.get());
        }
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
        List<Answer> answers = renewOneByOne(renewals, atMost);
        at(Call.AFTER_RENEW_ALL);
        return answers;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        at(Call.INSPECT);
        return super.inspect(lock, atMost);
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        at(Call.LIST);
        return super.list(prefix, after, limit, atMost);
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        at(Call.REVOKE);
        boolean revoked = super.revoke(lock, reason, now, atMost);
        at(Call.AFTER_REVOKE);
        return revoked;
    }

    @Override
    public long highestToken(Duration atMost) {
        at(Call.HIGHEST_TOKEN);
        return super.highestToken(atMost);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        at(Call.READ_REGISTER);
        return super.readRegister(name, atMost);
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        at(Call.WRITE_REGISTER);
        return super.writeRegister(name, expected, entry, atMost);
    }

    @Override
    public Set<Feature> features() {
        at(Call.FEATURES);
        return super.features();
    }

    @Override
    public SafetyLevel safetyLevel() {
        at(Call.SAFETY_LEVEL);
        return super.safetyLevel();
    }

    @Override
    public FencingStrength fencingStrength() {
        at(Call.FENCING_STRENGTH);
        return super.fencingStrength();
    }

    @Override
    public LeaseBounds leaseBounds() {
        at(Call.LEASE_BOUNDS);
        return super.leaseBounds();
    }

    @Override
    public void close() {
        at(Call.CLOSE);
        super.close();
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
        public long reliableNanos() {
            at(Call.RELIABLE_NANOS);
            return super.reliableNanos();
        }

        @Override
        public Optional<Duration> retryAfter() {
            at(Call.RETRY_AFTER);
            return super.retryAfter();
        }

        @Override
        public Optional<Duration> pollAfter() {
            at(Call.POLL_AFTER);
            return super.pollAfter();
        }

        @Override
        public void whenLost(Consumer<Loss> listener) {
            at(Call.WHEN_LOST);
            super.whenLost(listener);
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

        @Override
        public Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
            at(Call.STORE_INCARNATION);
            return super.storeIncarnation(atMost);
        }

        @Override
        public boolean raiseToken(long token, Duration atMost) {
            at(Call.RAISE_TOKEN);
            return super.raiseToken(token, atMost);
        }
    }
}
