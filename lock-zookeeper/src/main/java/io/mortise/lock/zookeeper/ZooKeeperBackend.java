// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.zookeeper.internal.admin.LockListing;
import io.mortise.lock.zookeeper.internal.admin.Revocation;
import io.mortise.lock.zookeeper.internal.claim.ClientContext;
import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.session.SessionClock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;

/**
 * Keeps locks in a ZooKeeper ensemble: each lock has a queue of ephemeral sequential nodes, and the claim of the first
 * node holds the lock. Thread-safe.
 *
 * <p>The client library never repeats a request, whatever its retry policy; each call ends in its time. Do not call from
 * ZooKeeper's event thread, such as in the callback of a watch: no answer could arrive.
 */
public final class ZooKeeperBackend implements LockBackend {
    private static final Set<Feature> FEATURES = Set.copyOf(EnumSet.allOf(Feature.class));

    private final ClientContext context;
    private final LockListing listing;
    private final LeaseBounds leaseBounds;

    ZooKeeperBackend(ClientContext context, Duration sessionTimeout) {
        this.context = context;
        this.listing = new LockListing(context.layout(), context.sessions());
        this.leaseBounds = new LeaseBounds(
                LeaseBounds.WIDEST.shortest(), SessionClock.longestLease(sessionTimeout), sessionTimeout);
    }

    /**
     * A backend whose nodes are under {@code /mortise} in the client's namespace, if it has one, and open to everybody.
     *
     * @param client of the application, started; stays open when the backend closes
     * @return a new backend
     * @throws io.mortise.lock.LockConfigurationException if the client is not started
     */
    public static ZooKeeperBackend of(CuratorFramework client) {
        return builder(client).build();
    }

    /**
     * Begins a backend over a client that the application has.
     *
     * @param client of the application, started; stays open when the backend closes
     * @return a builder with the defaults
     */
    public static ZooKeeperBackendBuilder builder(CuratorFramework client) {
        return new ZooKeeperBackendBuilder(client);
    }

    /**
     * A guard, which makes writes to the ensemble depend on a lease of a client with this backend.
     *
     * @return a guard, good as long as this backend is open
     */
    public ZooKeeperGuard guard() {
        return new ZooKeeperGuard(context);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return context.claim(request, nudge);
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
     * Up to three quarters of the session time-out that the servers agreed to, or, if there was no connection yet when this
     * was made, of the one that was asked for. A holder that died or was cut off keeps its lock for the whole time-out.
     */
    @Override
    public LeaseBounds leaseBounds() {
        return leaseBounds;
    }

    @Override
    public List<Answer> renewAll(List<? extends Claim> claims, Duration atMost) {
        try {
            return context.renewAll(claims, atMost).stream()
                    .map(holds -> holds ? Answer.YES : Answer.NO)
                    .toList();
        } catch (BackendException unanswered) {
            return claims.stream().map(claim -> Answer.UNKNOWN).toList();
        }
    }

    /** Tells how long the claim has been in the queue, and its whole lease: only the holder knows how much of it is left. */
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
        String queue = context.layout().queue(LockPath.of(lock));
        return new Revocation(queue, lock, reason, now).run(context.sessions(), atMost);
    }

    /**
     * Ends the session of a backend that was opened from a URL, and with it all nodes of its claims. Over a client of the
     * application, deletes the nodes of its claims. Waits for this for at most a second.
     */
    @Override
    public void close() {
        context.close();
    }

    ClientContext context() {
        return context;
    }
}
