// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One client of a {@link MemoryStore}: the reference backend, with every feature. Thread-safe. */
public final class MemoryBackend implements LockBackend {
    private static final Set<Feature> FEATURES = Set.copyOf(EnumSet.allOf(Feature.class));

    private final MemoryStore store;
    private volatile boolean closed;

    /**
     * A client of a store.
     *
     * @param store where the locks are
     */
    public MemoryBackend(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new MemoryClaim(this, request, nudge);
    }

    @Override
    public Set<Feature> features() {
        return FEATURES;
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return store().call(atMost, () -> store.inspect(lock));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return store().call(atMost, () -> store.list(prefix, after, limit));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return store().call(atMost, () -> store.revoke(lock, reason, now));
    }

    @Override
    public long highestToken(Duration atMost) {
        return store().call(atMost, store::highestToken);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return store().call(atMost, () -> store.registered(RegisterEntry.checkName(name)));
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return store().call(atMost, () -> store.register(RegisterEntry.checkName(name), expected, entry));
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The store, if this client is open. */
    MemoryStore store() {
        if (closed) {
            throw BackendException.closed("the store");
        }
        return store;
    }
}
