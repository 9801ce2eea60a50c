// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A backend over a {@link ForeignClient}, for a test class that extends {@code LockBackendTck} and is annotated with
 * {@link Promises}. It declares no feature, keeps what was granted, and passes on what the library says. Thread-safe.
 */
public final class ForeignBackend implements LockBackend {
    private final ForeignClient client;
    private volatile boolean closed;

    /**
     * Closes the client with itself.
     *
     * @param client of its own
     */
    public ForeignBackend(ForeignClient client) {
        this.client = client;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new ForeignClaim(request);
    }

    @Override
    public Set<Feature> features() {
        return Set.of();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }

    private final class ForeignClaim implements Claim {
        private final ClaimRequest request;
        private volatile @Nullable ForeignGrant grant;

        ForeignClaim(ClaimRequest request) {
            this.request = request;
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            if (grant != null) {
                throw new BackendException("this library cannot tell a repeated try from another's", null);
            }
            Optional<ForeignGrant> granted = asked(() -> client.tryAcquire(request.lock(), request.lease()));
            grant = granted.orElse(null);
            return granted.isPresent();
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            ForeignGrant held = grant;
            return held != null && uninterrupted(() -> held.renew(lease));
        }

        /** A library that throws at a second release is asked a second time, too. */
        @Override
        public boolean release(Duration atMost) {
            ForeignGrant held = grant;
            return held != null && uninterrupted(held::release);
        }
    }

    private <T> T asked(Callable<T> question) throws InterruptedException {
        if (closed) {
            throw new BackendException("this client is closed", null);
        }
        try {
            return question.call();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failure) {
            throw new BackendException("the library threw " + failure, failure);
        }
    }

    private boolean uninterrupted(Callable<Boolean> question) {
        try {
            return asked(question);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException("the library was interrupted", interrupted);
        }
    }
}
