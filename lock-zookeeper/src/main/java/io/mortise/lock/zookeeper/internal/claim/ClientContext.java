// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import io.mortise.lock.zookeeper.internal.node.Layout;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.NodeWatches;
import io.mortise.lock.zookeeper.internal.queue.PendingDeletes;
import io.mortise.lock.zookeeper.internal.queue.PredecessorWatch;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.DaemonScheduler;
import io.mortise.lock.zookeeper.internal.session.Heartbeat;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;

/**
 * Creates the claims of one backend, and has what they share: the session, its heartbeat, the watches, the tokens and
 * the background deletes. Thread-safe.
 */
public final class ClientContext implements AutoCloseable {
    private static final Duration CONNECT_AT_MOST = Duration.ofSeconds(2);
    private static final Duration CLOSE_AT_MOST = Duration.ofSeconds(1);

    private final Layout layout;
    private final CuratorFramework client;
    private final boolean ownsClient;
    private final CuratorSessions sessions;
    private final DaemonScheduler scheduler = new DaemonScheduler("lock-zookeeper");
    private final NodeWatches watches = new NodeWatches();
    private final PendingDeletes deletes;
    private final FencingTokens tokens;
    private final OpenClaims claims = new OpenClaims(scheduler);
    private final Heartbeat heartbeat;
    private boolean closed;

    /**
     * Follows no session yet, unless the client has one.
     *
     * @param ownsClient true to start and to close the client, too; it must not be started yet
     */
    public ClientContext(Layout layout, CuratorFramework client, boolean ownsClient) {
        this.layout = layout;
        this.client = client;
        this.ownsClient = ownsClient;
        sessions = new CuratorSessions(client, this::sessionBegun);
        deletes = new PendingDeletes(sessions);
        tokens = new FencingTokens(layout);
        heartbeat = new Heartbeat(sessions, scheduler, layout.root(), deletes::retry);
        heartbeat.start();
    }

    private void sessionBegun() {
        watches.nudgeAll();
        heartbeat.sessionBegun();
    }

    /** Waits up to two seconds for the client's session; its time-out, if there is one by then. */
    public Optional<Duration> connect() {
        if (ownsClient) {
            sessions.startClient();
        } else {
            sessions.joinClient();
        }
        return sessions.timeoutWithin(CONNECT_AT_MOST);
    }

    /** A new claim, in no queue yet. */
    public Claim claim(ClaimRequest request, Runnable nudge) {
        LockQueue queue = new LockQueue(layout, tokens, deletes, request.lock());
        return new ZooKeeperClaim(request, sessions, queue, tokens, new PredecessorWatch(watches, nudge), claims);
    }

    /**
     * Renews claims that this made.
     *
     * @return for each, whether it holds
     * @throws BackendException if that is not known
     */
    public List<Boolean> renewAll(List<? extends Claim> ours, Duration atMost) {
        return ZooKeeperClaim.renewAll(
                ours.stream().map(ZooKeeperClaim.class::cast).toList(), sessions, atMost);
    }

    /** Where the nodes are. */
    public Layout layout() {
        return layout;
    }

    /** Runs calls. */
    public CuratorSessions sessions() {
        return sessions;
    }

    /** What this client holds. */
    public OpenClaims claims() {
        return claims;
    }

    /**
     * Asks nothing more, but for the deletion of what the claims have. Waits for a moment until that is answered, or until the
     * client is closed, if it is this one's own.
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
        CallDeadline.uninterruptibly("ZooKeeper", CLOSE_AT_MOST, deadline -> deadline.awaitEnd(ended));
    }

    /** On a thread of its own: while a server does not answer, closing a session takes most of the session's time-out. */
    private CompletableFuture<?> closeClient() {
        DaemonExecutor closing = new DaemonExecutor("lock-zookeeper-closing", 1);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(client::close, closing);
        closing.shutdown();
        return ended;
    }
}
