// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.PollDelay;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one memcached server, which lasts over all reconnects. Commands are sent only while there is a
 * {@linkplain LiveConnection live connection}, and never to another server instead. Thread-safe.
 */
public final class ServerConnection {
    private static final Logger LOG = ServerHandshake.LOG;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    /** A connection on which a command has waited so long for its answer is replaced. */
    private static final long UNANSWERED_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final MemcachedConnection connection;
    private final MemcachedNode node;
    private final MemcachedFailures failures;
    private final @Nullable PasswordCheck password;
    private final RestartDelay delay;
    private final AtomicBoolean shaking = new AtomicBoolean();
    private volatile @Nullable LiveConnection live;
    private volatile ServerHandshake.@Nullable Refusal refusal;

    private boolean lost;
    private volatile boolean turnedAway;
    private volatile boolean closed;

    ServerConnection(
            MemcachedConnection connection, MemcachedNode node, @Nullable PasswordCheck password, RestartDelay delay) {
        this.connection = connection;
        this.node = node;
        this.password = password;
        this.delay = delay;
        this.failures = new MemcachedFailures(name((InetSocketAddress) node.getSocketAddress()));
    }

    static String name(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** The server's name as the client was given it, such as {@code localhost:11211}. */
    public String name() {
        return failures.server();
    }

    public MemcachedFailures failures() {
        return failures;
    }

    /**
     * The live connection, or null if there is none at the moment.
     *
     * @throws BackendException if the client is closed, or the server refused this connection
     */
    public @Nullable LiveConnection liveNow() {
        if (closed || connection.isShutDown()) {
            throw BackendException.closed(MemcachedFailures.STORE);
        }
        ensureAdmitted();
        if (!node.isActive()) {
            return null;
        }
        replaceIfUnanswered();
        LiveConnection known = live;
        if (known != null && !known.isReplacedBy(node.getChannel())) {
            return known;
        }
        ServerHandshake.Refusal refused = refusal;
        if (refused != null && refused.channel() == node.getChannel()) {
            throw refused.why().get();
        }
        if (node.isAuthenticated()) {
            shakeHands();
        }
        return null;
    }

    private void ensureAdmitted() {
        if (password != null && password.isRejectedBy(node.getSocketAddress().toString())) {
            throw failures.wrongPassword();
        }
    }

    /**
     * Throws if the server has been running for so short a time that it may have forgotten locks which are still held.
     *
     * @throws BackendException if so: whether a lock is free is not known
     */
    public void ensureRemembers(LiveConnection connection) {
        long missing = delay.missingNanos(connection.ranForNanos());
        if (missing > 0) {
            throw failures.startedLately(connection.ranForNanos(), missing);
        }
    }

    /**
     * Waits for a live connection while the call lasts.
     *
     * @throws BackendException if there is none in that time, the client is closed, or the server refuses
     */
    public LiveConnection awaitLive(CallDeadline deadline) throws InterruptedException {
        PollDelay pauses = new PollDelay(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            LiveConnection now = liveNow();
            if (now != null) {
                return now;
            }
            if (deadline.hasPassed()) {
                throw whyNotLive(deadline);
            }
            deadline.pause(pauses.nextNanos());
        }
    }

    /** Sends a command; {@link #await} waits for its reply. */
    public Command send(Command command) {
        command.setHandlingNode(node);
        try {
            enqueue(command);
        } catch (IllegalStateException full) {
            command.giveUp();
            throw new BackendException("the queue of commands to memcached at " + name() + " is full", full);
        }
        return command;
    }

    /** Hides an interrupt from the driver, which would refuse the thread. */
    private void enqueue(Operation operation) {
        boolean interrupted = Thread.interrupted();
        try {
            connection.addOperations(Map.of(node, operation));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for the reply to a command while the call lasts. A command that is given up before it was sent is never sent.
     *
     * @throws BackendException if there is no reply in that time, or there can be none any more
     */
    public Command.Reply await(Command command, CallDeadline deadline) throws InterruptedException {
        try {
            if (deadline.awaitEnd(command.reply())) {
                return command.reply().join();
            }
        } catch (CancellationException lost) {
            throw new BackendException("the connection to memcached at " + name() + " was lost", null);
        } catch (InterruptedException interrupt) {
            command.giveUp();
            throw interrupt;
        }
        boolean mayChangeSomething = command.giveUp() && command.changesItems();
        throw failures.noAnswer(deadline, mayChangeSomething ? command.reply() : null);
    }

    /** Sends a command and waits for its reply, as {@link #await} does. */
    public Command.Reply ask(Command command, CallDeadline deadline) throws InterruptedException {
        return await(send(command), deadline);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is in the fields
    private void shakeHands() {
        if (!shaking.compareAndSet(false, true)) {
            return;
        }
        ServerHandshake handshake = new ServerHandshake(node, failures);
        handshake.start(this::enqueue).thenAccept(answered -> {
            refusal = handshake.refusal();
            if (answered != null) {
                live = answered;
                turnedAway = false;
                handshake.warnOfEvictions();
            }
            shaking.set(false);
        });
    }

    private BackendException whyNotLive(CallDeadline deadline) {
        ServerHandshake.Refusal refused = refusal;
        if (refused != null) {
            return refused.why().get();
        }
        if (password != null && (turnedAway || !node.isAuthenticated())) {
            return new BackendException("memcached at " + name() + " has not accepted the user and the password", null);
        }
        return node.isActive()
                ? failures.noAnswer(deadline, null)
                : new BackendException("there is no connection to memcached at " + name() + " (without TLS)", null);
    }

    /** A partition may leave a connection that looks open to both sides. An application's own client has its own limit. */
    private void replaceIfUnanswered() {
        Operation oldest = node.getCurrentReadOp();
        if (oldest != null
                && oldest.getState() == OperationState.READING
                && System.nanoTime() - oldest.getWriteCompleteTimestamp() > UNANSWERED_NANOS) {
            MemcachedConnection.opTimedOut(oldest);
        }
    }

    boolean isAt(Object address) {
        return node.getSocketAddress().equals(address);
    }

    /**
     * Called by the driver's thread when it has connected. It sends the handshake only if the driver's queue is unbounded: it
     * must not wait for a place in the queue of an application's client.
     */
    synchronized void connected(boolean queueIsUnbounded) {
        if (lost) {
            LOG.log(Level.INFO, "connected to memcached at {0} again", name());
        }
        lost = false;
        if (queueIsUnbounded && node.isAuthenticated()) {
            shakeHands();
        }
    }

    /** Called by the driver's thread when it has lost the connection, before it connects again. */
    void disconnected() {
        noteLoss();
        // A command of which a part was sent would be sent again on the next connection, by now perhaps given up.
        Operation current = node.getCurrentWriteOp();
        if (current instanceof Command && current.getState() == OperationState.WRITING) {
            node.removeCurrentWriteOp();
            current.cancel();
        }
    }

    private synchronized void noteLoss() {
        if (!lost && !closed) {
            LOG.log(Level.WARNING, "lost the connection to memcached at {0}; trying to connect again", name());
        }
        lost = true;
        turnedAway = live == null;
        live = null;
    }

    void close() {
        closed = true;
    }

    /** Ends all commands that are still under way. Called when the driver's thread has ended. */
    void cancelAll() {
        while (node.hasReadOp()) {
            node.removeCurrentReadOp().cancel();
        }
        while (node.hasWriteOp()) {
            node.removeCurrentWriteOp().cancel();
        }
        node.destroyInputQueue().forEach(Operation::cancel);
    }
}
