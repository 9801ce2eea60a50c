// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.support.ForwardingBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A part of a store: the locks whose names begin with a prefix, which is not seen in here. As thread-safe as the backend behind it. */
final class PrefixedBackend extends ForwardingBackend {
    private final String prefix;

    PrefixedBackend(String prefix, LockBackend inner) {
        super(inner);
        this.prefix = prefix;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return super.claim(
                new ClaimRequest(
                        prefix + request.lock(),
                        request.owner(),
                        request.label(),
                        request.lease(),
                        request.waits(),
                        request.tokenFloor(),
                        request.tokenCount()),
                nudge);
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return super.inspect(prefix + lock, atMost).map(this::seenInside);
    }

    /** The first page of all has no name to go on after; the empty name is the first in here, so that it is passed on as none. */
    @Override
    public List<LockHolder> list(String begin, String after, int limit, Duration atMost) {
        return super.list(prefix + begin, after.isEmpty() ? "" : prefix + after, limit, atMost).stream()
                .map(this::seenInside)
                .toList();
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return super.revoke(prefix + lock, reason, now, atMost);
    }

    /** Without a register: entries have no prefix and no end, and would be left behind. */
    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.copyOf(super.features());
        features.remove(Feature.REGISTER);
        return features;
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        throw new UnsupportedOperationException("in a store that others use, too, no entries are left behind");
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        throw new UnsupportedOperationException("in a store that others use, too, no entries are left behind");
    }

    private LockHolder seenInside(LockHolder holder) {
        return new LockHolder(
                holder.lock().substring(prefix.length()),
                holder.label(),
                holder.fencingToken(),
                holder.heldFor(),
                holder.remaining(),
                holder.waiters(),
                holder.revocationReason());
    }
}
