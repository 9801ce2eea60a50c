// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.BriefWait;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs one client's database calls on a few threads, each call on its own connection, and repeats a call that meets a lock
 * conflict. A caller can leave a call that hangs, and its interrupt never reaches a driver: H2 closes a
 * whole database when an interrupt meets its file. Thread-safe.
 */
public final class DatabaseCalls implements AutoCloseable {
    private static final String THREADS = "lock-jdbc";
    private static final long PAUSE_NANOS = 1_000_000;
    private static final Duration CLOSING = Duration.ofSeconds(1);

    /** As many as a client asks for. */
    private static final int RENEWALS_AT_ONCE = 2;

    private final Connections connections;
    private final BriefWait briefly = new BriefWait();
    private final DaemonExecutor threads = new DaemonExecutor(THREADS, 1, briefly);

    /** For renewals: they must not wait behind tries that wait for others; the same where one call runs at once. */
    private volatile DaemonExecutor renewalThreads = threads;

    private volatile Predicate<SQLException> inTheWay = SqlFailures::isRollback;

    public DatabaseCalls(Connections connections) {
        this.connections = connections;
    }

    /**
     * Adapts to the database, as soon as something is known of it.
     *
     * @param callsAtOnce how many calls may run at once; one until this is called
     * @param inTheWay tells failures that changed nothing
     */
    public void adaptTo(int callsAtOnce, Predicate<SQLException> inTheWay) {
        this.inTheWay = failure -> SqlFailures.isRollback(failure) || inTheWay.test(failure);
        if (callsAtOnce > 1) {
            threads.growTo(callsAtOnce);
            renewalThreads = new DaemonExecutor(THREADS, RENEWALS_AT_ONCE);
        }
    }

    /** Starts a call that nobody needs once its time is over. */
    public <T> PendingCall<T> start(CallDeadline deadline, @Nullable PendingCall<?> before, Session.Work<T> work) {
        return new PendingCall<T>(call -> run(call, work), deadline, before, false, briefly).startOn(threads);
    }

    /** Starts a call that is worth making even if nobody waits for it any more. */
    public <T> PendingCall<T> startCleanUp(
            CallDeadline deadline, @Nullable PendingCall<?> before, Session.Work<T> work) {
        return new PendingCall<T>(call -> run(call, work), deadline, before, true, briefly).startOn(threads);
    }

    /** Makes a call and waits for its answer; ignores interrupts. */
    public <T> T ask(Duration atMost, Session.Work<T> work) {
        return ask(threads, atMost, call -> run(call, work));
    }

    /** Makes the call that opens a backend, and closes this if it fails. */
    public <T> T open(Duration atMost, Session.Work<T> opening) {
        boolean opened = false;
        try {
            T backend = ask(atMost, opening);
            opened = true;
            return backend;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /** Makes a call that renews, and waits for its answer; ignores interrupts. */
    public <T> T askToRenew(Duration atMost, Session.Work<T> work) {
        return ask(renewalThreads, atMost, call -> run(call, work));
    }

    /** As {@link #askToRenew}, but fails when another is in the way of the first attempt. */
    public <T> T askOnceToRenew(Duration atMost, Session.Work<T> work) {
        return ask(renewalThreads, atMost, call -> runOnce(work));
    }

    private <T> T ask(DaemonExecutor threads, Duration atMost, Function<PendingCall<T>, T> work) {
        return CallDeadline.uninterruptibly(
                SqlFailures.STORE, atMost, deadline -> new PendingCall<T>(work, deadline, null, false, briefly)
                        .startOn(threads)
                        .await());
    }

    private <T> T run(PendingCall<T> call, Session.Work<T> work) {
        while (true) {
            try {
                return runOnce(work);
            } catch (BackendException failure) {
                if (!(failure.getCause() instanceof SQLException driver) || !inTheWay.test(driver) || call.isOver()) {
                    throw failure;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Makes a call on this thread, which is a call thread; fails when another is in the way. */
    public <T> T runOnce(Session.Work<T> work) {
        try {
            return connections.with(work);
        } catch (RuntimeException | SQLException failure) {
            throw SqlFailures.CLASSIFIER.exceptionFor(failure);
        }
    }

    /** Has work that nobody waits for done by a call thread; it is rejected if this is closed. */
    public void execute(Runnable work) {
        threads.execute(work);
    }

    /** Takes no more calls and lets those that run or wait end, for a moment; one that hangs is left behind. */
    @Override
    public void close() {
        threads.close(CLOSING);
        renewalThreads.close(CLOSING);
        connections.close();
    }
}
