// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
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
final class Ensemble {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WITHOUT_SESSION = TimeUnit.SECONDS.toNanos(1);
    private static final int BEATS_IN_A_TIMEOUT = 16;

    final Layout layout;
    final Connection connection;
    final Watches watches = new Watches();
    final Housekeeping housekeeping = new Housekeeping();
    final Orphans orphans = new Orphans(this);
    final Tokens tokens = new Tokens(this);
    final Renewal renewal = new Renewal(this);

    /** The claims that hold or wait. */
    final Set<Tenure> claims = ConcurrentHashMap.newKeySet();

    /** What claims hold, by the path of the queue. */
    final Map<String, Grant> grants = new ConcurrentHashMap<>();

    private volatile boolean closed;

    Ensemble(Layout layout, CuratorFramework client) {
        this.layout = layout;
        this.connection = new Connection(client, this::sessionBegun);
        tick();
    }

    /**
     * Asks, and asks again when the connection breaks, as long as there is time.
     *
     * @throws BackendException if there was no answer in time
     * @throws io.mortise.lock.LockConfigurationException if ZooKeeper refuses
     * @throws InterruptedException if the thread is interrupted and the deadline is not calm
     */
    <T> T call(Deadline deadline, Step<T> step) throws InterruptedException {
        while (true) {
            ensureOpen();
            Session session = connection.session(deadline);
            try {
                return step.in(session);
            } catch (KeeperException failure) {
                if (Failures.isEndOfSession(failure)) {
                    connection.over(session);
                } else if (!Failures.isSilence(failure)) {
                    throw Failures.unanswered(failure);
                }
                if (deadline.isOver()) {
                    throw Failures.unanswered(failure);
                }
                deadline.pause(PAUSE);
            }
        }
    }

    /** Asks, and leaves an interrupt for later. */
    <T> T callCalmly(Deadline calm, Step<T> step) {
        try {
            return call(calm, step);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("a calm call was interrupted", impossible);
        }
    }

    /** Makes a node and all above it, if they are missing. */
    void make(String path, Session session, Deadline deadline) throws KeeperException, InterruptedException {
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
    TokenBase tokenBase(Session session, Deadline deadline) throws KeeperException, InterruptedException {
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
    static void checkLease(Duration lease, Session session) {
        Duration timeout = Duration.ofNanos(session.clock().timeout());
        if (lease.compareTo(SessionClock.longestLease(timeout)) > 0) {
            throw new LockConfigurationException("the ensemble allows this client sessions of " + timeout.toMillis()
                    + " ms, which bear leases of up to "
                    + SessionClock.longestLease(timeout).toMillis() + " ms, not of " + lease.toMillis()
                    + " ms; ask for shorter leases, or raise sessionTimeout here and maxSessionTimeout there");
        }
    }

    void ensureOpen() {
        if (closed) {
            throw new BackendException("this client of ZooKeeper is closed", null);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Asks nothing more, but for the deletion of what its claims have. Completes when that is answered, or will not be. */
    CompletableFuture<?> close() {
        closed = true;
        housekeeping.close();
        connection.close();
        List.copyOf(claims).forEach(Tenure::end);
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
