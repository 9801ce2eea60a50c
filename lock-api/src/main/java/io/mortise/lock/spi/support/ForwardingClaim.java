// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.StoreIncarnation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A claim that passes everything on to another one: the base of wrappers that change or watch a part of it. Wrappers that
 * extend it stay right when {@link Claim} gets a new method. As thread-safe as the claim behind it.
 */
public class ForwardingClaim implements Claim {
    private final Claim inner;

    /**
     * Passes on to a claim.
     *
     * @param inner the claim behind this one
     */
    protected ForwardingClaim(Claim inner) {
        this.inner = inner;
    }

    /** {@return the claim behind this one} */
    public final Claim inner() {
        return inner;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return inner.tryAcquire(atMost);
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return inner.renew(lease, atMost);
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return inner.holdsUntilLeaseEnds();
    }

    @Override
    public boolean release(Duration atMost) {
        return inner.release(atMost);
    }

    @Override
    public long fencingToken() {
        return inner.fencingToken();
    }

    @Override
    public Duration leaseSpent() {
        return inner.leaseSpent();
    }

    @Override
    public long reliableNanos() {
        return inner.reliableNanos();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return inner.retryAfter();
    }

    @Override
    public Optional<Duration> pollAfter() {
        return inner.pollAfter();
    }

    @Override
    public Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
        return inner.storeIncarnation(atMost);
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        return inner.raiseToken(token, atMost);
    }

    @Override
    public void whenLost(Consumer<Loss> listener) {
        inner.whenLost(listener);
    }

    @Override
    public Loss loss() {
        return inner.loss();
    }
}
