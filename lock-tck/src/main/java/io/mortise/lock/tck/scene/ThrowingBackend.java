// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Wraps a backend, and makes the renewals of one lock throw any exception or error. Thread-safe. */
public final class ThrowingBackend extends ForwardingBackend {
    private final String lock;
    private final AtomicInteger planned = new AtomicInteger();
    private final AtomicInteger stumbled = new AtomicInteger();
    private volatile @Nullable Throwable failure;

    /** Throws nothing until told to. */
    public ThrowingBackend(LockBackend inner, String lock) {
        super(inner);
        this.lock = lock;
    }

    /** Makes so many of the next renewals throw an unchecked exception or an error. */
    public void stumble(Throwable what, int times) {
        failure = what;
        planned.set(times);
    }

    /** How many renewals have thrown so far. */
    public int stumbled() {
        return stumbled.get();
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        Claim claim = super.claim(request, nudge);
        return request.lock().equals(lock) ? new Stumbling(claim) : claim;
    }

    @Override
    public List<Answer> renewAll(List<? extends Claim> claims, Duration atMost) {
        return renewOneByOne(claims, atMost);
    }

    private final class Stumbling extends ForwardingClaim {
        private Stumbling(Claim claim) {
            super(claim);
        }

        @Override
        public boolean renew(Duration atMost) {
            Throwable now = failure;
            if (now != null && planned.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                stumbled.incrementAndGet();
                if (now instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) now;
            }
            return super.renew(atMost);
        }
    }
}
