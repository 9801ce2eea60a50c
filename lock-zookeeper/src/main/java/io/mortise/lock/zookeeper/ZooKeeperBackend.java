// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import io.mortise.lock.zookeeper.internal.admin.AccessCheck;
import io.mortise.lock.zookeeper.internal.admin.LockListing;
import io.mortise.lock.zookeeper.internal.admin.Register;
import io.mortise.lock.zookeeper.internal.admin.Revocation;
import io.mortise.lock.zookeeper.internal.claim.OpenClaims;
import io.mortise.lock.zookeeper.internal.claim.ZooKeeperClaim;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.NodeWatches;
import io.mortise.lock.zookeeper.internal.queue.PendingDeletes;
import io.mortise.lock.zookeeper.internal.queue.PredecessorWatch;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.DaemonScheduler;
import io.mortise.lock.zookeeper.internal.session.Heartbeat;
import io.mortise.lock.zookeeper.internal.session.ServerNames;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionClock;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
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
    private static final Duration CONNECT_AT_MOST = Duration.ofSeconds(2);
    private static final Duration CLOSE_AT_MOST = Duration.ofSeconds(1);

    private final NodePaths paths;
    private final CuratorFramework client;
    private final boolean ownsClient;
    private final CuratorSessions sessions;
    private final DaemonScheduler scheduler = new DaemonScheduler("lock-zookeeper");
    private final NodeWatches watches = new NodeWatches();
    private final PendingDeletes deletes;
    private final FencingTokens tokens;
    private final OpenClaims claims = new OpenClaims(scheduler);
    private final Heartbeat heartbeat;
    private final LockListing listing;
    private final Register register;
    private volatile LeaseBounds leaseBounds;
    private boolean closed;

    /** Asks nothing yet; {@code timeout} is the session's until there is one. */
    private ZooKeeperBackend(NodePaths paths, CuratorFramework client, boolean ownsClient, Duration timeout) {
        this.paths = paths;
        this.client = client;
        this.ownsClient = ownsClient;
        sessions = new CuratorSessions(
                client, ServerNames.of(client), paths.tokenBase(), this::sessionBegun, claims::sessionEnded);
        deletes = new PendingDeletes(sessions);
        tokens = new FencingTokens(paths);
        heartbeat = new Heartbeat(sessions, scheduler, paths.root(), deletes::retry);
        listing = new LockListing(paths, sessions);
        register = new Register(paths, sessions);
        leaseBounds = leaseBounds(timeout);
    }

    /**
     * Makes a backend, and waits up to two seconds for the client's session.
     *
     * @param ownsClient true to start and to close the client, too; it must not be started yet
     * @param timeout of the session, if there is none by then
     * @param mistake asked why there is none
     * @throws LockConfigurationException if {@code mistake} knows
     */
    static ZooKeeperBackend open(
            NodePaths paths,
            CuratorFramework client,
            boolean ownsClient,
            Duration timeout,
            Supplier<Optional<String>> mistake) {
        ZooKeeperBackend backend = new ZooKeeperBackend(paths, client, ownsClient, timeout);
        try {
            backend.connect(mistake);
            return backend;
        } catch (RuntimeException | Error failure) {
            backend.close();
            throw failure;
        }
    }

    private void connect(Supplier<Optional<String>> mistake) {
        heartbeat.start();
        if (ownsClient) {
            sessions.startClient();
        } else {
            sessions.joinClient();
        }
        Optional<Duration> agreed = sessions.timeoutWithin(CONNECT_AT_MOST);
        if (agreed.isPresent()) {
            leaseBounds = leaseBounds(agreed.get());
            checkAccess();
        } else {
            mistake.get().ifPresent(known -> {
                throw new LockConfigurationException(known);
            });
        }
    }

    /** A root that this client cannot use is told at once; what is not answered is told by the first lock. */
    private void checkAccess() {
        try {
            sessions.callUninterruptibly(CONNECT_AT_MOST, new AccessCheck(paths)::run);
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    private static LeaseBounds leaseBounds(Duration timeout) {
        return new LeaseBounds(LeaseBounds.WIDEST.shortest(), SessionClock.longestLease(timeout), timeout);
    }

    private void sessionBegun() {
        watches.nudgeAll();
        heartbeat.sessionBegun();
    }

    /**
     * A backend whose nodes are under {@code /mortise} in the client's namespace, if it has one, and open to everybody.
     *
     * @param client of the application, started; stays open when the backend closes
     * @return a new backend
     * @throws LockConfigurationException if the client is not started, or the ensemble refuses it the root
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
        return new ZooKeeperGuard(paths, claims);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        LockQueue queue = new LockQueue(paths, tokens, deletes, request.lock());
        return new ZooKeeperClaim(request, sessions, queue, tokens, new PredecessorWatch(watches, nudge), claims);
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
     * was made, of the one that was asked for. A holder that died or was cut off keeps its lock for the whole time-out, and one
     * that has gone keeps nothing. A renewal to another length holds for as long as this client lives, and no longer than its
     * session.
     */
    @Override
    public LeaseBounds leaseBounds() {
        return leaseBounds;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return ZooKeeperClaim.renewAll(renewals, sessions, atMost);
    }

    /** Tells for how long the lock has been held, and not how much of its lease is left: only the holder knows. */
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
        return new Revocation(paths.queue(lock), lock, reason, now).run(sessions, atMost);
    }

    @Override
    public long highestToken(Duration atMost) {
        return sessions.callUninterruptibly(atMost, tokens::highest);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return register.read(name, atMost);
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return register.write(name, expected, entry, atMost);
    }

    /**
     * Ends the session of a backend that was opened from a URL, and with it all nodes of its claims. Over a client of the
     * application, deletes the nodes of its claims. Waits for this for at most a second.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        sessions.close();
        scheduler.close();
        claims.endAll();
        Session session = sessions.sessionNow();
        CompletableFuture<?> deleted =
                session == null ? CompletableFuture.completedFuture(null) : deletes.deleteAll(session);
        CompletableFuture<?> ended = ownsClient ? closeClient() : deleted;
        CallDeadline.uninterruptibly(CuratorSessions.STORE, CLOSE_AT_MOST, deadline -> deadline.awaitEnd(ended));
    }

    /** On a thread of its own: while a server does not answer, closing a session takes most of the session's time-out. */
    private CompletableFuture<?> closeClient() {
        DaemonExecutor closing = new DaemonExecutor("lock-zookeeper-closing", 1);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(client::close, closing);
        closing.shutdown();
        return ended;
    }

    CuratorFramework client() {
        return client;
    }

    OpenClaims claims() {
        return claims;
    }
}
