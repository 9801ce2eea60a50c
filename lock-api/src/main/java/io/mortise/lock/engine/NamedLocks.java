// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.MultiLease;
import io.mortise.lock.MultiLock;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Implements {@link MultiLock}: names in their order, and options, over the engine of the client. Thread-safe. */
public final class NamedLocks implements MultiLock {
    private final Engine engine;
    private final List<String> names;
    private final LockOptions options;

    /**
     * Throws if the engine is closed or the store cannot honour the lease. No I/O.
     *
     * @throws IllegalArgumentException if there is no name
     */
    public NamedLocks(Engine engine, Collection<String> names, LockOptions options) {
        this.engine = engine;
        this.names = List.copyOf(new TreeSet<>(names));
        this.options = options;
        if (this.names.isEmpty()) {
            throw new IllegalArgumentException("no lock is named; name one at least");
        }
        engine.checkUsable(this.names.get(0), options);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public MultiLease acquire() throws InterruptedException {
        return acquire(NamedLock.maxWait(options), true)
                .orElseThrow(() ->
                        new LockTimeoutException(title(), options.maxWait().orElseThrow()));
    }

    @Override
    public Optional<MultiLease> tryAcquire() {
        try {
            return acquire(0, false);
        } catch (InterruptedException neverThrown) {
            throw new AssertionError(neverThrown);
        }
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return acquire(NamedLock.nanos(wait), true);
    }

    private Optional<MultiLease> acquire(long waitNanos, boolean interruptible) throws InterruptedException {
        long start = engine.nanos();
        do {
            List<LeaseHandle> leases = new ArrayList<>(names.size());
            boolean isKept = false;
            try {
                if (!acquireEach(leases, start, waitNanos, interruptible)) {
                    return Optional.empty();
                }
                Optional<MultiLease> all = Optional.of(new CombinedLease(leases));
                isKept = all.get().isHeld();
                if (isKept) {
                    return all;
                }
            } finally {
                if (!isKept) {
                    giveBack(leases);
                }
            }
        } while (left(start, waitNanos) > 0);
        throw new LockStoreException(
                title(), "one of '" + title() + "' was lost before the last was acquired, and no time is left", null);
    }

    /** False if others held one of them. What was acquired is in {@code leases}, however this ends. */
    private boolean acquireEach(List<LeaseHandle> leases, long start, long waitNanos, boolean interruptible)
            throws InterruptedException {
        for (String name : names) {
            LeaseHandle lease = engine.acquire(name, options, left(start, waitNanos), interruptible);
            if (lease == null) {
                return false;
            }
            leases.add(lease);
        }
        return true;
    }

    private long left(long start, long waitNanos) {
        return waitNanos == Nanos.FOREVER ? waitNanos : Math.max(0, waitNanos - (engine.nanos() - start));
    }

    private static void giveBack(List<LeaseHandle> leases) {
        for (int i = leases.size() - 1; i >= 0; i--) {
            leases.get(i).held().giveBack();
        }
    }

    private String title() {
        return String.join(", ", names);
    }

    @Override
    public String toString() {
        return "MultiLock" + names;
    }
}
