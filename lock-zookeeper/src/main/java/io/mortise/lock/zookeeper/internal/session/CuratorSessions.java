// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Follows the sessions of one Curator client, one after the other, and runs calls in them. Curator connects, connects again,
 * and begins a new session when the old one has ended; requests go to the session itself, which sends them once or not at
 * all. Thread-safe.
 */
public final class CuratorSessions implements AutoCloseable {
    /** Between a broken connection and the next try, in nanoseconds. */
    static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    public static final String STORE = "ZooKeeper";

    private static final Logger LOG = System.getLogger(CuratorSessions.class.getName());

    private final CuratorFramework client;
    private final String watched;

    /** For messages: the servers, and whether they are asked for TLS. */
    private final String store;

    private final Runnable onNewSession;
    private final Consumer<Session> onEnd;
    private final ConnectionStateListener listener = (unused, state) -> changed(state);
    private CompletableFuture<Session> session = new CompletableFuture<>();
    private @Nullable Moment notConnectedAt;
    private volatile boolean closed;

    /**
     * Follows the sessions of a client.
     *
     * @param servers names the servers in messages
     * @param watched the path of a node, there or not, that the client may read: to be watched for the sake of events
     * @param onNewSession runs when there is a session other than the one before; quick
     * @param onEnd takes each session that has ended, as soon as that is known; quick
     */
    public CuratorSessions(
            CuratorFramework client, String servers, String watched, Runnable onNewSession, Consumer<Session> onEnd) {
        this.client = client;
        this.store = STORE + " at " + servers;
        this.watched = watched;
        this.onNewSession = onNewSession;
        this.onEnd = onEnd;
    }

    /** Begins, before the client is started: a session that it finds later did not exist at that moment. */
    public void startClient() {
        client.getConnectionStateListenable().addListener(listener);
        synchronized (this) {
            notConnectedAt = Moment.now(Ticker.system());
        }
        client.start();
    }

    /** Begins with a client that somebody else has started. */
    public void joinClient() {
        client.getConnectionStateListenable().addListener(listener);
        adopt();
    }

    /** Runs a call that an interrupt ends. */
    public <T> T callInterruptibly(Duration atMost, SessionCall.Body<T> body) throws InterruptedException {
        return CallDeadline.interruptibly(store, atMost, deadline -> call(deadline, body));
    }

    /** Runs a call that ignores interrupts. */
    public <T> T callUninterruptibly(Duration atMost, SessionCall.Body<T> body) {
        return CallDeadline.uninterruptibly(store, atMost, deadline -> call(deadline, body));
    }

    /**
     * Asks, and asks again when the connection breaks, as long as there is time.
     *
     * @throws BackendException if there was no answer in time, ZooKeeper refuses, or this is closed
     */
    private <T> T call(CallDeadline deadline, SessionCall.Body<T> body) throws InterruptedException {
        Moment asked = Moment.now(Ticker.system());
        while (true) {
            ensureOpen();
            Session current = awaitSession(deadline);
            try {
                return body.run(new SessionCall(current, deadline, asked));
            } catch (KeeperException failure) {
                if (ZooKeeperFailures.isEndOfSession(failure)) {
                    over(current);
                } else if (!ZooKeeperFailures.isNoAnswer(failure)) {
                    throw ZooKeeperFailures.classify(store, failure);
                }
                if (deadline.hasPassed()) {
                    throw ZooKeeperFailures.classify(store, failure);
                }
                deadline.pause(PAUSE);
            }
        }
    }

    public void ensureOpen() {
        if (closed) {
            throw BackendException.closed(STORE);
        }
    }

    /** The current session, connected or not. */
    private Session awaitSession(CallDeadline deadline) throws InterruptedException {
        CompletableFuture<Session> wanted;
        synchronized (this) {
            wanted = session;
        }
        if (!deadline.awaitEnd(wanted)) {
            if (areCredentialsRejected()) {
                throw ZooKeeperFailures.classify(store, new KeeperException.AuthFailedException());
            }
            throw new BackendException("there is no connection to " + store, null);
        }
        return wanted.join();
    }

    /** Such a client never connects again. */
    private boolean areCredentialsRejected() {
        try {
            return client.getZookeeperClient().getZooKeeper().getState() == ZooKeeper.States.AUTH_FAILED;
        } catch (Exception unknown) {
            if (unknown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return false;
        }
    }

    /** The time-out of the first session, if there is one soon. */
    public Optional<Duration> timeoutWithin(Duration patience) {
        try {
            Session found = CallDeadline.uninterruptibly(store, patience, this::awaitSession);
            return Optional.of(Duration.ofNanos(found.clock().timeout()));
        } catch (BackendException notYet) {
            return Optional.empty();
        }
    }

    /** The current session, or null if there is none. */
    public synchronized @Nullable Session sessionNow() {
        return session.getNow(null);
    }

    /** Says that a session has ended: there is none until Curator has another, which it never has if credentials were rejected. */
    private void over(Session ended) {
        synchronized (this) {
            ended.end();
            if (session.getNow(null) == ended && !ended.isUnauthenticated()) {
                session = new CompletableFuture<>();
            }
        }
        onEnd.accept(ended);
    }

    /** Looks at which session the client has now; also called from time to time, in case an event was missed. */
    void adopt() {
        try {
            if (client.getZookeeperClient().isConnected()) {
                adopt(client.getZookeeperClient().getZooKeeper());
            }
        } catch (Exception notNow) {
            if (notNow instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.log(Level.DEBUG, "no session with ZooKeeper yet", notNow);
        }
    }

    /** Asks nothing more. The client and its session stay. */
    @Override
    public void close() {
        closed = true;
        client.getConnectionStateListenable().removeListener(listener);
    }

    private void changed(ConnectionState state) {
        if (state.isConnected()) {
            adopt();
        } else if (state == ConnectionState.LOST) {
            Session lost = sessionNow();
            if (lost != null) {
                over(lost);
            }
        }
    }

    private void adopt(ZooKeeper handle) {
        if (handle.getSessionId() == 0 || !handle.getState().isConnected()) {
            return;
        }
        Session known = sessionNow();
        if (known != null && known.isOf(handle)) {
            known.watchState(watched, () -> over(known));
            return;
        }
        if (known != null) {
            over(known);
        }
        Session begun;
        synchronized (this) {
            if (session.getNow(null) != known) {
                return;
            }
            if (session.isDone()) {
                session = new CompletableFuture<>();
            }
            begun = new Session(handle, new SessionClock(TimeUnit.MILLISECONDS.toNanos(handle.getSessionTimeout())));
            if (notConnectedAt != null) {
                begun.clock().aliveAt(notConnectedAt);
                notConnectedAt = null;
            }
            session.complete(begun);
        }
        begun.watchState(watched, () -> over(begun));
        onNewSession.run();
    }
}
