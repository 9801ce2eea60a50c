// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockException;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.spi.BackendException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Calls of one database: each on its own connection, by a call thread, repeated while others are in the way. Thread-safe. */
public final class Database implements AutoCloseable {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Connections connections;
    private final CallThreads threads;
    private final CallThreads renewalThreads;
    private final Predicate<SQLException> inTheWay;

    /**
     * Makes no calls yet.
     *
     * @param renewalThreads for renewals: they must not wait behind tries that wait for others; perhaps the same
     * @param inTheWay tells failures that changed nothing
     */
    public Database(
            Connections connections,
            CallThreads threads,
            CallThreads renewalThreads,
            Predicate<SQLException> inTheWay) {
        this.connections = connections;
        this.threads = threads;
        this.renewalThreads = renewalThreads;
        this.inTheWay = inTheWay;
    }

    /** Starts a call that nobody needs once its time is over. */
    public <T> Call<T> start(Duration atMost, @Nullable Call<?> before, JdbcCall<T> work) {
        return new Call<T>(call -> run(call, work), atMost, before, false).startOn(threads);
    }

    /** Starts a call that is worth making even if nobody waits for it any more. */
    public <T> Call<T> startCleanUp(Duration atMost, @Nullable Call<?> before, JdbcCall<T> work) {
        return new Call<T>(call -> run(call, work), atMost, before, true).startOn(threads);
    }

    /** Makes a call and waits for its answer; an interrupt is left for later. */
    public <T> T ask(Duration atMost, JdbcCall<T> work) {
        return start(atMost, null, work).awaitCalmly();
    }

    /** Makes a call that renews, and waits for its answer; an interrupt is left for later. */
    public <T> T askToRenew(Duration atMost, JdbcCall<T> work) {
        return new Call<T>(call -> run(call, work), atMost, null, false)
                .startOn(renewalThreads)
                .awaitCalmly();
    }

    /** As {@link #askToRenew}, but fails when another is in the way of the first attempt. */
    public <T> T askOnceToRenew(Duration atMost, JdbcCall<T> work) {
        return new Call<T>(call -> runOnce(work), atMost, null, false)
                .startOn(renewalThreads)
                .awaitCalmly();
    }

    private <T> T run(Call<T> call, JdbcCall<T> work) {
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

    private <T> T runOnce(JdbcCall<T> work) {
        try {
            return connections.with(work);
        } catch (LockException clear) {
            throw clear;
        } catch (RuntimeException | SQLException failure) {
            throw SqlFailures.unanswered(failure);
        }
    }

    @Override
    public void close() {
        threads.close();
        renewalThreads.close();
        connections.close();
    }
}
