// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.lease.ClaimRelease;
import io.mortise.lock.engine.lease.HandOverBudget;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.Validity;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;

/** Creates the claims of one client, and the leases of the claims that the store has granted. Thread-safe. */
public final class ClaimFactory {
    private final LockBackend backend;
    private final Set<Feature> features;
    private final LeaseServices services;
    private final SecureRandom random = new SecureRandom();

    public ClaimFactory(LockBackend backend, LeaseServices services) {
        this.backend = backend;
        this.features = Set.copyOf(backend.features());
        this.services = services;
    }

    /** Whether the store nudges waiters. */
    boolean isPrompt() {
        return features.contains(Feature.PROMPT);
    }

    /** A claim with an owner of its own; of a {@code FENCED} store it takes a token for each hand-over that may follow. */
    Claim claim(String name, LockOptions options, boolean waits, Runnable nudge) {
        byte[] owner = new byte[16];
        random.nextBytes(owner);
        int tokens = features.contains(Feature.FENCED) ? 1 + HandOverBudget.most(options, isFair()) : 1;
        return backend.claim(
                new ClaimRequest(
                        name, HexFormat.of().formatHex(owner), options.label(), stored(options), waits, 0, tokens),
                nudge);
    }

    /** How long the store keeps the lock after a grant: longer than the holder relies on it, where others are to be kept out. */
    public static Duration stored(LockOptions options) {
        Duration delayed =
                options.lockDelay().isZero() ? options.lease() : options.lease().plus(options.lockDelay());
        return options.minHold().filter(least -> least.compareTo(delayed) > 0).orElse(delayed);
    }

    /** How the claim is given back. */
    ClaimRelease release(Claim claim) {
        return new ClaimRelease(claim, services.bounds().shortest(), services.environment());
    }

    /** Makes a lease of a grant: it is renewed and ends from now on. */
    void lease(
            Claim claim,
            ClaimRelease claimRelease,
            LocalQueue<HeldLease>.Ticket ticket,
            Validity validity,
            boolean triesInDoubt) {
        long token = features.contains(Feature.FENCED) ? claim.fencingToken() : 0;
        HandOverBudget handOvers = HandOverBudget.of(ticket.options(), isFair(), services.ticker());
        HeldLease.start(services, ticket, claimRelease, validity, token, handOvers, triesInDoubt);
    }

    private boolean isFair() {
        return features.contains(Feature.FAIR);
    }
}
