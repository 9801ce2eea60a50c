// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;

/** The way to one server: the connection on which it has answered, while there is one, or why there is none. Thread-safe. */
final class Link {
    private static final Logger LOG = System.getLogger(MemcachedBackend.class.getName());
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    /** A connection on which a command has waited so long for its answer is replaced. */
    private static final long MUTE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final MemcachedConnection connection;
    private final MemcachedNode node;
    private final String server;
    private final boolean withPassword;
    private final AtomicBoolean greeting = new AtomicBoolean();
    private volatile @Nullable Contact contact;
    private volatile Greeting.@Nullable Refusal refusal;

    private boolean lost;
    private volatile boolean turnedAway;
    private volatile boolean closed;

    /**
     * The way to a server of the driver's.
     *
     * @param withPassword whether the client shows a user and a password
     */
    Link(MemcachedConnection connection, MemcachedNode node, boolean withPassword) {
        this.connection = connection;
        this.node = node;
        this.withPassword = withPassword;
        InetSocketAddress address = (InetSocketAddress) node.getSocketAddress();
        this.server = address.getHostString() + ":" + address.getPort();
    }

    /** As the client was told it, such as {@code localhost:11211}. */
    String server() {
        return server;
    }

    /** The connection, or null if there is none at the moment on which the server has answered. */
    @Nullable
    Contact contactNow() {
        if (closed || connection.isShutDown()) {
            throw new BackendException("this client of memcached is closed", null);
        }
        if (!node.isActive()) {
            return null;
        }
        replaceIfMute();
        Contact known = contact;
        if (known != null && !known.isOver(node.getChannel())) {
            return known;
        }
        Greeting.Refusal refused = refusal;
        if (refused != null && refused.channel() == node.getChannel()) {
            throw new BackendException(refused.why(), null);
        }
        if (node.isAuthenticated()) {
            greet();
        }
        return null;
    }

    /** Waits for a connection. */
    Contact contact(Call call) {
        for (long pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
            Contact now = contactNow();
            if (now != null) {
                return now;
            }
            if (call.leftNanos() <= 0) {
                throw new BackendException(whyNot(call), null);
            }
            call.pause(pause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what it came to is in the fields
    private void greet() {
        if (!greeting.compareAndSet(false, true)) {
            return;
        }
        Greeting words = new Greeting(node, server);
        words.send(connection).whenComplete((answered, unanswered) -> {
            refusal = words.refusal();
            if (answered != null) {
                contact = answered;
                turnedAway = false;
                words.report();
            }
            greeting.set(false);
        });
    }

    private String whyNot(Call call) {
        Greeting.Refusal refused = refusal;
        if (refused != null) {
            return refused.why();
        }
        if (withPassword && (turnedAway || !node.isAuthenticated())) {
            return "memcached at " + server + " has not accepted the user and the password";
        }
        return node.isActive() ? unanswered(call) : "there is no connection to memcached at " + server;
    }

    String unanswered(Call call) {
        return "memcached at " + server + " did not answer within "
                + call.atMost().toMillis() + " ms";
    }

    /** As a partition leaves one that looks open to both sides. The application's own client has its own limit. */
    private void replaceIfMute() {
        Operation oldest = node.getCurrentReadOp();
        if (oldest != null
                && oldest.getState() == OperationState.READING
                && System.nanoTime() - oldest.getWriteCompleteTimestamp() > MUTE_NANOS) {
            MemcachedConnection.opTimedOut(oldest);
        }
    }

    /**
     * Called by the driver's thread, which must not wait for a place in the queue of an application's client.
     *
     * @param mayGreet whether that queue takes everything
     */
    synchronized void connected(boolean mayGreet) {
        if (lost) {
            LOG.log(Level.INFO, "connected to memcached at {0} again", server);
        }
        lost = false;
        if (mayGreet && node.isAuthenticated()) {
            greet();
        }
    }

    /** Called by the driver's thread. */
    synchronized void disconnected() {
        if (!lost && !closed) {
            LOG.log(Level.WARNING, "lost the connection to memcached at {0}; trying to connect again", server);
        }
        lost = true;
        turnedAway = contact == null;
        contact = null;
    }

    void close() {
        closed = true;
    }
}
