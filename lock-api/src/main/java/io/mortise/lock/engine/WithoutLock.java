// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Lease;
import io.mortise.lock.Loss;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;

/** A lease that is none: the store did not answer, and the caller goes on without the lock. Immutable. */
record WithoutLock(String lockName) implements Lease {
    @Override
    public long fencingToken() {
        throw new UnsupportedOperationException(nothingHeld());
    }

    @Override
    public boolean isHeld() {
        return false;
    }

    @Override
    public Duration remaining() {
        return Duration.ZERO;
    }

    @Override
    public void ensureHeld() {
        throw new IllegalStateException(nothingHeld());
    }

    @Override
    public void forbidHandOver() {
        ensureHeld();
    }

    @Override
    public Duration extend(Duration length) {
        Objects.requireNonNull(length, "length");
        throw new IllegalStateException(nothingHeld());
    }

    @Override
    public boolean isWithoutLock() {
        return true;
    }

    @Override
    public Lease whenAtRisk(BiConsumer<Lease, Duration> listener) {
        Objects.requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public Lease whenLost(BiConsumer<Lease, Loss> listener) {
        Objects.requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public Lease whenRevoked(BiConsumer<Lease, String> listener) {
        Objects.requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public boolean release() {
        return false;
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    public String toString() {
        return "Lease[" + lockName + ", without the lock]";
    }

    private String nothingHeld() {
        return "lock '" + lockName + "' is not held: the store did not answer, and the options say to go on without it";
    }
}
