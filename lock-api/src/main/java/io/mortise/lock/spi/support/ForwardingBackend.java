// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A backend that passes everything on to another one: the base of wrappers that change or watch a part of it. Wrappers
 * that extend it stay right when {@link LockBackend} gets a new method. As thread-safe as the backend behind it.
 *
 * <p>A wrapper of claims overrides {@link #claim} and, since the backend behind knows its own claims only, {@link #renewAll}
 * too: it passes on the {@link ForwardingClaim#inner()} of each, or calls {@link #renewOneByOne} if renewing is what it changes.
 */
public class ForwardingBackend implements LockBackend {
    private final LockBackend inner;

    /**
     * Passes on to a backend.
     *
     * @param inner the backend behind this one; closed with it
     */
    protected ForwardingBackend(LockBackend inner) {
        this.inner = inner;
    }

    /** {@return the backend behind this one} */
    public final LockBackend inner() {
        return inner;
    }

    /**
     * Renews through {@link Claim#renew} of each claim, as backends do that have no batch.
     *
     * @param renewals claims of this backend, none twice, and for each how long its lease is to last
     * @param atMost how long the whole call may take, positive
     * @return an answer for each claim, in the same order
     */
    protected final List<Answer> renewOneByOne(List<Renewal> renewals, Duration atMost) {
        return LockBackend.super.renewAll(renewals, atMost);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return inner.claim(request, nudge);
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
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return inner.renewAll(renewals, atMost);
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return inner.inspect(lock, atMost);
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return inner.list(prefix, after, limit, atMost);
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return inner.revoke(lock, reason, now, atMost);
    }

    @Override
    public long highestToken(Duration atMost) {
        return inner.highestToken(atMost);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return inner.readRegister(name, atMost);
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return inner.writeRegister(name, expected, entry, atMost);
    }

    @Override
    public void close() {
        inner.close();
    }
}
