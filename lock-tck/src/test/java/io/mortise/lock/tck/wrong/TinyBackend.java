// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.tck.CuttableWay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client of a {@link TinyStore}. */
final class TinyBackend implements LockBackend {
    final TinyStore store;
    private volatile boolean closed;

    /** Null if it is at the store. */
    final @Nullable CuttableWay way;

    TinyBackend(TinyStore store, @Nullable CuttableWay way) {
        this.store = store;
        this.way = way;
    }

    /** Lets some milliseconds pass, deaf to interrupts: the gap that a wrong lock leaves between two steps. */
    static void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        boolean interrupted = Thread.interrupted();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return store.driver(new TinyClaim(this, request, nudge));
    }

    @Override
    public Set<Feature> features() {
        return store.features();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return store.told(atMost, () -> store.inspect(lock), Optional.empty());
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return store.told(atMost, () -> store.list(prefix, after, limit), List.of());
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return store.told(atMost, () -> store.revoke(lock, reason, now), false);
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return store.renewAll(renewals, all -> LockBackend.super.renewAll(all, atMost));
    }

    @Override
    public long highestToken(Duration atMost) {
        return store.told(atMost, store::highestToken, 0L);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return store.told(atMost, () -> store.readRegister(this, name), Optional.empty());
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        if (!store.isResumed(Duration.ofNanos(1))) {
            store.missedWrite(name, entry);
        }
        return store.told(atMost, () -> store.writeRegister(this, name, expected, entry), false);
    }

    boolean isClosed() {
        return closed && store.heedsClosing();
    }

    @Override
    public void close() {
        closed = true;
        store.closed(this);
    }
}
