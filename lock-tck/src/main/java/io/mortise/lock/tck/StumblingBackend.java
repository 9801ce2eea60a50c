// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A backend in which the renewal of one lock can be made to throw anything. Thread-safe. */
public final class StumblingBackend implements LockBackend {
    private final LockBackend inner;
    private final String lock;
    private final AtomicInteger planned = new AtomicInteger();
    private final AtomicInteger stumbled = new AtomicInteger();
    private volatile @Nullable Throwable failure;

    /**
     * Sound, until told otherwise.
     *
     * @param inner the store behind it; closed with this backend
     * @param lock the name whose renewals can throw
     */
    public StumblingBackend(LockBackend inner, String lock) {
        this.inner = inner;
        this.lock = lock;
    }

    /**
     * Makes the next renewals throw.
     *
     * @param what an unchecked exception or an error
     * @param times how many renewals
     */
    public void stumble(Throwable what, int times) {
        failure = what;
        planned.set(times);
    }

    /**
     * How many renewals have thrown.
     *
     * @return the count since the start
     */
    public int stumbled() {
        return stumbled.get();
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        Claim claim = inner.claim(request, nudge);
        return request.lock().equals(lock) ? new Stumbling(claim) : claim;
    }

    @Override
    public Set<Feature> features() {
        return inner.features();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return inner.safetyLevel();
    }

    @Override
    public FencingStrength fencingStrength() {
        return inner.fencingStrength();
    }

    @Override
    public LeaseBounds leaseBounds() {
        return inner.leaseBounds();
    }

    @Override
    public void close() {
        inner.close();
    }

    private final class Stumbling implements Claim {
        private final Claim claim;

        private Stumbling(Claim claim) {
            this.claim = claim;
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            return claim.tryAcquire(atMost);
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
            return claim.renew(atMost);
        }

        @Override
        public boolean release(Duration atMost) {
            return claim.release(atMost);
        }

        @Override
        public long fence() {
            return claim.fence();
        }

        @Override
        public Optional<Duration> retryAfter() {
            return claim.retryAfter();
        }

        @Override
        public Loss loss() {
            return claim.loss();
        }
    }
}
