// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.example;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a map that its clients share. Each lock is an entry with an owner and an end, and each call is one atomic step that compares
 * the owner: that is all that a lock needs of its store. Yours does the same with a script, a transaction or a compare-and-set.
 */
public final class MapBackend implements LockBackend {
    /**
     * Who holds a lock, and until when by the clock of the store.
     *
     * @param owner of the claim, which nobody else has
     * @param until in the time of {@link System#nanoTime()}, which is this store's clock
     */
    public record Entry(String owner, long until) {}

    private final ConcurrentMap<String, Entry> store;
    private volatile boolean closed;

    public MapBackend(ConcurrentMap<String, Entry> store) {
        this.store = store;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new MapClaim(request);
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
    }

    private final class MapClaim implements Claim {
        private final ClaimRequest request;

        private MapClaim(ClaimRequest request) {
            this.request = request;
        }

        /** Grants the lock if it is free, has ended, or is this claim's already. */
        @Override
        public boolean tryAcquire(Duration atMost) {
            return isHeldAfter(now -> now == null || isOwn(now) ? entry(request.lease()) : now);
        }

        /** A lease that has ended is not renewed, also if nobody else has taken the lock. */
        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return isHeldAfter(now -> now != null && isOwn(now) ? entry(lease) : now);
        }

        /** Frees nothing that belongs to another. */
        @Override
        public boolean release(Duration atMost) {
            boolean[] held = new boolean[1];
            change(now -> {
                held[0] = now != null && isOwn(now);
                return held[0] ? null : now;
            });
            return held[0];
        }

        private boolean isHeldAfter(UnaryOperator<@Nullable Entry> step) {
            Entry after = change(step);
            return after != null && isOwn(after);
        }

        /** One atomic step on the entry of the lock; one whose lease has ended is none. */
        private @Nullable Entry change(UnaryOperator<@Nullable Entry> step) {
            if (closed) {
                throw BackendException.closed("the map");
            }
            return store.compute(
                    request.lock(),
                    (lock, entry) ->
                            step.apply(entry == null || entry.until() - System.nanoTime() <= 0 ? null : entry));
        }

        private boolean isOwn(Entry entry) {
            return entry.owner().equals(request.owner());
        }

        private Entry entry(Duration lease) {
            return new Entry(request.owner(), System.nanoTime() + lease.toNanos());
        }
    }
}
