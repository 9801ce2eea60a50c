// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.engine.stress.Tally.Count;
import io.mortise.lock.engine.stress.Weather.Evil;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.LossyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The store as one client sees it: calls throw errors, before the store has seen them or after, and messages are lost and late.
 * Remembers what the engine was told. Thread-safe.
 */
final class StormBackend extends ForwardingBackend {
    private final int client;
    private final Weather weather;
    private final Grants grants;
    private final LossyBackend network;
    /** For each name: when the engine got the last answer to a try or a renewal. */
    private final AtomicLongArray answered;
    /** For each name: until when this client had it. */
    private final AtomicLongArray ownUntil;

    private volatile boolean armed;

    StormBackend(int client, Weather weather, Grants grants, MemoryStore store) {
        this(client, weather, grants, new LossyBackend(new MemoryBackend(store)));
    }

    private StormBackend(int client, Weather weather, Grants grants, LossyBackend network) {
        super(network);
        this.client = client;
        this.weather = weather;
        this.grants = grants;
        this.network = network;
        answered = new AtomicLongArray(weather.allNames);
        ownUntil = new AtomicLongArray(weather.allNames);
        if (weather.evils.contains(Evil.LOST_MESSAGES)) {
            network.loseRandomly(weather.share, weather.dice.below(Integer.MAX_VALUE));
        }
    }

    /** From now on calls may throw errors; a client that cannot be made is not the subject. */
    void arm() {
        armed = true;
    }

    void calmDown() {
        network.loseRandomly(0, 0);
        deliverHeldUp();
    }

    /** Delays one message, or holds it up. */
    void beLate() {
        Tally.add(Count.MESSAGES_LATE);
        LossyBackend.Operation[] operations = LossyBackend.Operation.values();
        LossyBackend.Operation operation = operations[weather.dice.below(operations.length)];
        if (weather.dice.chance(0.5)) {
            network.delayNextReply(operation, Duration.ofMillis(weather.dice.between(1, 200)));
        } else {
            network.holdUpNextRequest(operation);
        }
    }

    void deliverHeldUp() {
        try {
            network.deliverHeldUp();
        } catch (BackendException storeStopped) {
            // What was late is lost.
        }
    }

    /** When the engine last got an answer about a name. */
    long answered(int name) {
        return answered.get(name);
    }

    /** Until when the engine could know without asking that a name is held, because it holds it. */
    long ownUntil(int name) {
        return ownUntil.get(name);
    }

    private void maybeThrow() {
        if (armed && weather.strikes(Evil.BACKEND_ERRORS)) {
            Injected.error(weather.dice);
        }
    }

    private <T> T stormy(Supplier<T> call) {
        maybeThrow();
        T answer = call.get();
        maybeThrow();
        return answer;
    }

    private static void countLost(RuntimeException failure) {
        if (failure instanceof BackendException
                && String.valueOf(failure.getMessage()).contains("lost")) {
            Tally.add(Count.MESSAGES_LOST);
        }
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        maybeThrow();
        return new StormClaim(request, super.claim(request, () -> {
            if (!weather.strikes(Evil.LOST_NUDGES)) {
                nudge.run();
            }
        }));
    }

    @Override
    public LeaseBounds leaseBounds() {
        maybeThrow();
        return super.leaseBounds();
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        List<Renewal> inner = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            inner.add(new Renewal(((StormClaim) renewal.claim()).inner(), renewal.lease()));
        }
        long asked = Time.now();
        List<Answer> answers = stormy(() -> super.renewAll(inner, atMost));
        for (int i = 0; i < answers.size(); i++) {
            ((StormClaim) renewals.get(i).claim())
                    .renewed(answers.get(i), asked, renewals.get(i).lease());
        }
        return answers;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return stormy(() -> super.inspect(lock, atMost));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return stormy(() -> super.revoke(lock, reason, now, atMost));
    }

    @Override
    public void close() {
        super.close();
        maybeThrow();
    }

    /** A claim whose calls throw errors. */
    private final class StormClaim extends ForwardingClaim {
        private final ClaimRequest request;
        private final int name;
        private volatile Grant grant;

        StormClaim(ClaimRequest request, Claim inner) {
            super(inner);
            this.request = request;
            this.name = Integer.parseInt(request.lock());
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            maybeThrow();
            long asked = Time.now();
            boolean granted;
            try {
                granted = super.tryAcquire(atMost);
            } catch (RuntimeException failure) {
                countLost(failure);
                throw failure;
            }
            maybeThrow();
            if (granted) {
                long until = asked + request.lease().toNanos();
                Grant known = grant;
                if (known == null) {
                    known = new Grant(client, super.fencingToken(), request.tokenCount(), asked, until);
                    grants.add(name, known);
                    grant = known;
                }
                confirm(known, until);
            } else {
                // A grant is known only when its token is, and that can still fail.
                answered.accumulateAndGet(name, Time.now(), Math::max);
            }
            return granted;
        }

        private void confirm(Grant known, long until) {
            known.confirm(until);
            ownUntil.accumulateAndGet(name, until, Math::max);
        }

        void renewed(Answer answer, long asked, Duration lease) {
            Grant known = grant;
            if (answer == Answer.YES && known != null) {
                Tally.add(Count.RENEWALS);
                confirm(known, asked + lease.toNanos());
            }
            if (answer != Answer.UNKNOWN) {
                answered.accumulateAndGet(name, Time.now(), Math::max);
            }
        }

        /** The engine renews in batches; a lease that is extended alone comes here. */
        @Override
        public boolean renew(Duration lease, Duration atMost) {
            maybeThrow();
            long asked = Time.now();
            boolean renewed = super.renew(lease, atMost);
            maybeThrow();
            renewed(renewed ? Answer.YES : Answer.NO, asked, lease);
            return renewed;
        }

        @Override
        public boolean release(Duration atMost) {
            maybeThrow();
            boolean held;
            try {
                held = super.release(atMost);
            } catch (RuntimeException failure) {
                countLost(failure);
                throw failure;
            }
            maybeThrow();
            return held;
        }

        @Override
        public boolean holdsUntilLeaseEnds() {
            return stormy(super::holdsUntilLeaseEnds);
        }

        @Override
        public long fencingToken() {
            return stormy(super::fencingToken);
        }

        @Override
        public Duration leaseSpent() {
            return stormy(super::leaseSpent);
        }

        @Override
        public Optional<Duration> retryAfter() {
            return stormy(super::retryAfter);
        }

        @Override
        public Optional<Duration> pollAfter() {
            return stormy(super::pollAfter);
        }

        @Override
        public void whenLost(Consumer<Loss> listener) {
            stormy(() -> {
                super.whenLost(listener);
                return listener;
            });
        }

        @Override
        public Loss loss() {
            return stormy(super::loss);
        }
    }
}
