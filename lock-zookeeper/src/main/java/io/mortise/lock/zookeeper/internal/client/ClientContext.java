// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.client;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.zookeeper.internal.claim.ClaimRenewal;
import io.mortise.lock.zookeeper.internal.claim.ClaimState;
import io.mortise.lock.zookeeper.internal.claim.FencedGrant;
import io.mortise.lock.zookeeper.internal.node.Layout;
import io.mortise.lock.zookeeper.internal.queue.NodeWatches;
import io.mortise.lock.zookeeper.internal.queue.PendingDeletes;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import io.mortise.lock.zookeeper.internal.session.SessionClock;
import io.mortise.lock.zookeeper.internal.session.ZooKeeperFailures;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;

/** One client's view of the ensemble: asks, keeps the session's clock going, and cleans up behind claims. Thread-safe. */
public final class ClientContext {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WITHOUT_SESSION = TimeUnit.SECONDS.toNanos(1);
    private static final int BEATS_IN_A_TIMEOUT = 16;

    public final Layout layout;
    public final CuratorSessions connection;
    public final NodeWatches watches = new NodeWatches();
    public final Housekeeping housekeeping = new Housekeeping();
    public final PendingDeletes orphans = new PendingDeletes(this);
    public final FencingTokens tokens = new FencingTokens(this);
    public final ClaimRenewal renewal = new ClaimRenewal(this);

    /** The claims that hold or wait. */
    public final Set<ClaimState> claims = ConcurrentHashMap.newKeySet();

    /** What claims hold, by the path of the queue. */
    public final Map<String, FencedGrant> grants = new ConcurrentHashMap<>();

    private volatile boolean closed;

    public ClientContext(Layout layout, CuratorFramework client) {
        this.layout = layout;
        this.connection = new CuratorSessions(client, this::sessionBegun);
        tick();
    }

    /**
     * Asks, and asks again when the connection breaks, as long as there is time.
     *
     * @throws BackendException if there was no answer in time
     * @throws io.mortise.lock.LockConfigurationException if ZooKeeper refuses
     * @throws InterruptedException if the thread is interrupted and the deadline is not calm
     */
    public <T> T call(Deadline deadline, SessionCall<T> step) throws InterruptedException {
        while (true) {
            ensureOpen();
            Session session = connection.session(deadline);
            try {
                return step.in(session);
            } catch (KeeperException failure) {
                if (ZooKeeperFailures.isEndOfSession(failure)) {
                    connection.over(session);
                } else if (!ZooKeeperFailures.isSilence(failure)) {
                    throw ZooKeeperFailures.unanswered(failure);
                }
                if (deadline.isOver()) {
                    throw ZooKeeperFailures.unanswered(failure);
                }
                deadline.pause(PAUSE);
            }
        }
    }

    /** Asks, and leaves an interrupt for later. */
    public <T> T callCalmly(Deadline calm, SessionCall<T> step) {
        try {
            return call(calm, step);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("a calm call was interrupted", impossible);
        }
    }

    /** Makes a node and all above it, if they are missing. */
    public void make(String path, Session session, Deadline deadline) throws KeeperException, InterruptedException {
        List<CompletableFuture<String>> made = new ArrayList<>();
        for (String each : Layout.withAncestors(path)) {
            made.add(session.create(each, layout.acl()));
        }
        try {
            deadline.await(made.get(made.size() - 1));
        } catch (NodeExistsException already) {
            // as wanted
        }
    }

    /** What tokens count from now. */
    public TokenBase tokenBase(Session session, Deadline deadline) throws KeeperException, InterruptedException {
        Session.Data data;
        try {
            data = deadline.await(session.data(layout.tokenBase()));
        } catch (NoNodeException missing) {
            make(layout.tokenBase(), session, deadline);
            data = deadline.await(session.data(layout.tokenBase()));
        }
        return TokenBase.of(data.bytes(), data.stat());
    }

    /**
     * Refuses a lease that the session cannot bear.
     *
     * @throws LockConfigurationException if the ensemble agreed to a session that is too short
     */
    public static void checkLease(Duration lease, Session session) {
        Duration timeout = Duration.ofNanos(session.clock().timeout());
        if (lease.compareTo(SessionClock.longestLease(timeout)) > 0) {
            throw new LockConfigurationException("the ensemble allows this client sessions of " + timeout.toMillis()
                    + " ms, which bear leases of up to "
                    + SessionClock.longestLease(timeout).toMillis() + " ms, not of " + lease.toMillis()
                    + " ms; ask for shorter leases, or raise sessionTimeout here and maxSessionTimeout there");
        }
    }

    public void ensureOpen() {
        if (closed) {
            throw new BackendException("this client of ZooKeeper is closed", null);
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** Asks nothing more, but for the deletion of what its claims have. Completes when that is answered, or will not be. */
    public CompletableFuture<?> close() {
        closed = true;
        housekeeping.close();
        connection.close();
        List.copyOf(claims).forEach(ClaimState::end);
        Session session = connection.sessionNow();
        return session == null ? CompletableFuture.completedFuture(null) : orphans.settled(session);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // cancelled with all others at the end
    private void sessionBegun() {
        watches.nudgeAll();
        housekeeping.after(0, this::beat);
        Session session = connection.sessionNow();
        if (session != null) {
            // A session that was there before us is confirmed as soon as it can be.
            housekeeping.after(session.clock().gap() + PAUSE, this::beat);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // cancelled with all others at the end
    private void tick() {
        Session session = connection.sessionNow();
        long pause = session == null ? WITHOUT_SESSION : session.clock().timeout() / BEATS_IN_A_TIMEOUT;
        housekeeping.after(pause, this::tick);
        beat();
    }

    /** One small request, so that there are always earlier answers for the next grant to count from. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is not answered is asked with the next beat
    private void beat() {
        connection.adopt();
        Session session = connection.sessionNow();
        if (session == null) {
            return;
        }
        CompletableFuture<String> reached = session.sync(layout.root());
        if (session.clock().left(System.nanoTime()) <= 0) {
            reached.thenRun(() -> session.multi(List.of(Op.check(layout.root(), -1))));
        }
        orphans.retry(session);
    }
}
