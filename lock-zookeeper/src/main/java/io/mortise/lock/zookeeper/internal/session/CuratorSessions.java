// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one Curator client, one after the other. Curator connects, connects again, and begins a new session when
 * the old one has ended; requests go to the session itself, which sends them once or not at all. Thread-safe.
 */
public final class CuratorSessions implements AutoCloseable {
    private static final Logger LOG = System.getLogger(CuratorSessions.class.getName());

    private final CuratorFramework client;
    private final Runnable onNewSession;
    private final ConnectionStateListener listener = (unused, state) -> changed(state);
    private CompletableFuture<Session> session = new CompletableFuture<>();
    private @Nullable Session last;
    private long notConnectedAt;
    private boolean notConnectedKnown;

    /**
     * Follows a client.
     *
     * @param client started, or started after this
     * @param onNewSession run when there is a session other than the one before; quick
     */
    public CuratorSessions(CuratorFramework client, Runnable onNewSession) {
        this.client = client;
        this.onNewSession = onNewSession;
    }

    /** Begins, before the client is started: a session that it finds later did not exist at that moment. */
    public void startClient() {
        client.getConnectionStateListenable().addListener(listener);
        synchronized (this) {
            notConnectedAt = System.nanoTime();
            notConnectedKnown = true;
        }
        client.start();
    }

    /** Begins with a client that was started by somebody else. */
    public void joinClient() {
        client.getConnectionStateListenable().addListener(listener);
        adopt();
    }

    /**
     * The current session, connected or not.
     *
     * @throws BackendException if there is none in time
     */
    public Session session(Deadline deadline) throws InterruptedException {
        CompletableFuture<Session> wanted;
        synchronized (this) {
            wanted = session;
        }
        if (!deadline.await(wanted, Long.MAX_VALUE)) {
            throw new BackendException("there is no connection to ZooKeeper", null);
        }
        return wanted.join();
    }

    /** The time-out of the first session, if there is one soon. */
    public Optional<Duration> timeoutWithin(Duration patience) {
        try {
            Session found = session(Deadline.calm(patience));
            return Optional.of(Duration.ofNanos(found.clock().timeout()));
        } catch (BackendException notYet) {
            return Optional.empty();
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("a calm wait was interrupted", impossible);
        }
    }

    /** The current session, or null if there is none. */
    public synchronized @Nullable Session sessionNow() {
        return session.getNow(null);
    }

    /** Says that a session has ended: there is none until Curator has another. */
    public synchronized void over(Session ended) {
        ended.end();
        if (session.getNow(null) == ended) {
            session = new CompletableFuture<>();
        }
    }

    /** Looks what session the client has now; also called from time to time, lest an event was missed. */
    public void adopt() {
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

    public CuratorFramework client() {
        return client;
    }

    @Override
    public void close() {
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
        synchronized (this) {
            Session begun;
            if (last != null && last.isOf(handle) && !last.isOver()) {
                begun = last;
            } else {
                begun = new Session(
                        handle, new SessionClock(TimeUnit.MILLISECONDS.toNanos(handle.getSessionTimeout())));
                if (notConnectedKnown) {
                    begun.clock().createdAfter(notConnectedAt);
                    notConnectedKnown = false;
                }
            }
            if (session.getNow(null) == begun) {
                return;
            }
            if (session.isDone()) {
                session = new CompletableFuture<>();
            }
            if (last != null && last != begun) {
                last.end();
            }
            last = begun;
            session.complete(begun);
        }
        onNewSession.run();
    }
}
