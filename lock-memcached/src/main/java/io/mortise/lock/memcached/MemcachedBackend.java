// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockHolder;
import io.mortise.lock.memcached.connection.DriverClient;
import io.mortise.lock.memcached.connection.MemcachedFailures;
import io.mortise.lock.memcached.connection.RestartDelay;
import io.mortise.lock.memcached.item.ItemCommands;
import io.mortise.lock.memcached.item.Keys;
import io.mortise.lock.memcached.item.LockItem;
import io.mortise.lock.memcached.item.MemcachedClaim;
import io.mortise.lock.memcached.item.PipelinedRenewal;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.spy.memcached.MemcachedClient;

/**
 * Keeps locks in memcached, one item for each lock, which expires with the lease. Thread-safe.
 *
 * <p>memcached is a cache: it may evict a lock at any time, forgets all of them when it restarts, and has no fencing tokens
 * to tell two holders apart. The holder learns of such a loss at its next renewal.
 */
public final class MemcachedBackend implements LockBackend {
    /** memcached counts whole seconds. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private final DriverClient client;
    private final Keys keys;
    private final LeaseBounds leaseBounds;

    MemcachedBackend(DriverClient client, Keys keys, RestartDelay delay) {
        this.client = client;
        this.keys = keys;
        this.leaseBounds = new LeaseBounds(SHORTEST_LEASE, delay.longestLease(LockItem.LONGEST_LEASE));
    }

    /**
     * Makes a backend with the defaults over a client of the application's, as {@link #builder} describes it.
     *
     * @param client stays open when the backend closes
     * @return a new backend
     * @throws io.mortise.lock.LockConfigurationException if the client does not speak the binary protocol
     */
    public static MemcachedBackend of(MemcachedClient client) {
        return builder(client).build();
    }

    /**
     * Begins a backend over a client of the application's, which must speak the binary protocol. The backend chooses the server
     * of each lock itself, by rendezvous hashing over the addresses that the client was given; the client's locator and
     * failure mode have no effect. So every client must be given the same addresses. The client decides how soon it connects
     * again; {@code setMaxReconnectDelay(1)} suits locks.
     *
     * @param client stays open when the backend closes
     * @return a builder with the defaults
     */
    public static MemcachedBackendBuilder builder(MemcachedClient client) {
        return new MemcachedBackendBuilder(client);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new MemcachedClaim(request, item(request.lock()));
    }

    /** {@link Feature#REVOCABLE} only: memcached cannot list its items. {@link #inspect} works. */
    @Override
    public Set<Feature> features() {
        return Set.of(Feature.REVOCABLE);
    }

    /** {@link SafetyLevel#BEST_EFFORT}. */
    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.BEST_EFFORT;
    }

    /** From one second to thirty days, less two seconds; or to the {@code restartDelay}, if that is set and shorter. */
    @Override
    public LeaseBounds leaseBounds() {
        return leaseBounds;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return CallDeadline.uninterruptibly(
                MemcachedFailures.STORE, atMost, deadline -> PipelinedRenewal.renew(renewals, deadline));
    }

    /** Times are by the server's clock, give or take two seconds. */
    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(
                MemcachedFailures.STORE, atMost, deadline -> item(lock).inspect(deadline));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return CallDeadline.uninterruptibly(
                MemcachedFailures.STORE, atMost, deadline -> item(lock).revoke(reason, now, deadline));
    }

    private ItemCommands item(String lock) {
        return new ItemCommands(client, keys, lock);
    }

    /** Leaves the application's own client open. */
    @Override
    public void close() {
        client.close();
    }
}
