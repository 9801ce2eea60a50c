// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.LockHolder;
import io.mortise.lock.etcd.admin.LockListing;
import io.mortise.lock.etcd.admin.Register;
import io.mortise.lock.etcd.admin.Revocation;
import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.queue.EtcdClaim;
import io.mortise.lock.etcd.queue.FencingTokens;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.etcd.queue.Waiters;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps locks in etcd: each lock has a queue of keys, and the claim of the key that was made first holds the lock. A key ends with a
 * lease of etcd. Thread-safe.
 *
 * <p>A member that does not answer is left for the next one that was named. A lease counts as renewed only when the member that
 * renewed it still led afterwards.
 */
public final class EtcdBackend implements LockBackend {
    private static final Set<Feature> FEATURES = Set.copyOf(EnumSet.allOf(Feature.class));

    /** etcd grants no lease that is shorter than one and a half of its elections, which last a second unless it is told otherwise. */
    private static final LeaseBounds LEASES = new LeaseBounds(Duration.ofSeconds(2), LeaseBounds.WIDEST.longest());

    private final Gateway gateway;
    private final LockKeys keys;
    private final FencingTokens.OfStore tokens = new FencingTokens.OfStore();
    private final Waiters waiters;
    private final LockListing listing;
    private final Register register;

    EtcdBackend(Gateway gateway, LockKeys keys) {
        this.gateway = gateway;
        this.keys = keys;
        waiters = new Waiters(gateway, keys);
        listing = new LockListing(gateway, keys);
        register = new Register(gateway, keys);
    }

    /**
     * Begins a backend over the members of a cluster.
     *
     * @param members their addresses, such as {@code http://localhost:2379}; those of a cluster in any order
     * @return a builder with the defaults
     * @throws io.mortise.lock.LockConfigurationException if there are none, or one is no address of HTTP or HTTPS
     */
    public static EtcdBackendBuilder builder(List<URI> members) {
        return new EtcdBackendBuilder(members);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new EtcdClaim(request, gateway, keys, tokens, waiters, nudge);
    }

    /** All of them. */
    @Override
    public Set<Feature> features() {
        return FEATURES;
    }

    /** {@link SafetyLevel#CONSENSUS}. */
    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.CONSENSUS;
    }

    /**
     * From two seconds on. etcd counts whole seconds: a lease that is none is rounded up, and the lock of a holder that died is free up
     * to two seconds after its lease. A member that becomes the leader lets every lease begin anew, so that a lock whose holder has
     * died may stay for one more lease then.
     */
    @Override
    public LeaseBounds leaseBounds() {
        return LEASES;
    }

    /** Times are by the clocks of the members, in whole seconds. */
    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return listing.inspect(lock, atMost);
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return listing.list(prefix, after, limit, atMost);
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return new Revocation(gateway, keys, lock, reason).run(now, atMost);
    }

    @Override
    public long highestToken(Duration atMost) {
        return CallDeadline.uninterruptibly(
                Gateway.STORE, atMost, deadline -> FencingTokens.highest(gateway, keys, deadline));
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return register.read(name, atMost);
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return register.write(name, expected, entry, atMost);
    }

    /** Ends the watch and the threads. */
    @Override
    public void close() {
        waiters.close();
        gateway.close();
    }
}
