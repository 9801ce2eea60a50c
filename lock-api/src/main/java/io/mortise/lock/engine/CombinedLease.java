// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Lease;
import io.mortise.lock.LockException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.Loss;
import io.mortise.lock.MultiLease;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Implements {@link MultiLease} over leases of one client. Thread-safe. */
final class CombinedLease implements MultiLease {
    private final List<Lease> leases;

    CombinedLease(List<? extends Lease> leases) {
        this.leases = List.copyOf(leases);
    }

    @Override
    public List<Lease> leases() {
        return leases;
    }

    @Override
    public Lease lease(String lockName) {
        Objects.requireNonNull(lockName, "lockName");
        return leases.stream()
                .filter(lease -> lease.lockName().equals(lockName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + lockName + "' is none of the locks: " + this));
    }

    @Override
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    @Override
    public Duration remaining() {
        return leases.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public void ensureHeld() {
        leases.forEach(Lease::ensureHeld);
    }

    @Override
    public MultiLease whenLost(BiConsumer<Lease, Loss> listener) {
        Objects.requireNonNull(listener, "listener");
        AtomicBoolean told = new AtomicBoolean();
        leases.forEach(each -> each.whenLost((lease, loss) -> {
            if (!told.getAndSet(true)) {
                listener.accept(lease, loss);
            }
        }));
        return this;
    }

    @Override
    public boolean release() {
        return allFromLast(Lease::release);
    }

    @Override
    public void close() {
        boolean unused = allFromLast(lease -> {
            lease.close();
            return true;
        });
    }

    /** Whether a step was true for all leases; goes on after a failure. A loss matters more than a release that was not answered. */
    private boolean allFromLast(Predicate<Lease> step) {
        LockException first = null;
        boolean all = true;
        for (int i = leases.size() - 1; i >= 0; i--) {
            try {
                all &= step.test(leases.get(i));
            } catch (LockException failure) {
                first = worse(first, failure);
            }
        }
        if (first != null) {
            throw first;
        }
        return all;
    }

    private static LockException worse(@Nullable LockException first, LockException second) {
        if (first == null) {
            return second;
        }
        boolean isWorse = second instanceof LockLostException && !(first instanceof LockLostException);
        LockException worse = isWorse ? second : first;
        worse.addSuppressed(isWorse ? first : second);
        return worse;
    }

    @Override
    public String toString() {
        return "MultiLease" + leases;
    }
}
