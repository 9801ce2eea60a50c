// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.connection.PendingCall;
import io.mortise.lock.jdbc.notification.Grant;
import io.mortise.lock.jdbc.notification.PostgresListener;
import io.mortise.lock.jdbc.notification.Waiter;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.jdbc.table.ClaimStatements.Outcome;
import io.mortise.lock.jdbc.table.ClaimStatements.Refusal;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RememberedLoss;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Implements a claim as operations on one row of the lock table.
 *
 * <p>A call is sent when the claim's unfinished try has ended, not before, so that no try lands after the release. Only
 * one whose connection broke may still do so; then the release leaves a mark in the row, which refuses it.
 */
public final class JdbcClaim implements Claim {
    /**
     * What all claims of one client share.
     *
     * @param listener where the database can tell of releases
     * @param queue of those who wait, where the database has one
     * @param watch tells the ends of leases where no clock does
     * @param released the rows that are likely there
     */
    public record Services(
            DatabaseCalls calls,
            TableSql sql,
            @Nullable PostgresListener listener,
            Optional<WaiterQueue> queue,
            Optional<HolderWatch> watch,
            ReleasedRows released,
            Sweeper sweeper) {

        /** For one client. */
        public Services(
                DatabaseCalls calls,
                TableSql sql,
                @Nullable PostgresListener listener,
                Optional<WaiterQueue> queue,
                Optional<HolderWatch> watch) {
            this(calls, sql, listener, queue, watch, new ReleasedRows(System::nanoTime), new Sweeper(calls, sql));
        }
    }

    /** Nothing tells waiters that a guarded transaction has ended. */
    private static final Duration WHILE_GUARDED = Duration.ofMillis(20);

    final ClaimStatements statements;
    private final Services services;
    private final Waiter waiter;
    private final Optional<QueuePlace> place;

    private @Nullable PendingCall<?> lastTry;
    private long fence;
    private Duration leaseSpent = Duration.ZERO;
    private @Nullable Duration retryAfter;
    private @Nullable Outcome refused;
    private boolean grantedAtOnce;

    /** Whether nobody had wanted the lock before this grant, since this client released it last. */
    private boolean hasBeenUnwanted;

    private boolean releaseSent;
    private boolean releasedBefore;
    private final RememberedLoss loss = new RememberedLoss();

    /** Whether the lock is held until its lease ends, though it was not renewed. */
    private boolean heldAtRefusal;

    /** Whether a try ended without telling whether it was applied. Written by call threads. */
    private volatile boolean unsure;

    public JdbcClaim(Services services, ClaimRequest request, Runnable nudge) {
        this.services = services;
        statements = new ClaimStatements(services.sql(), request, LockKey.of(request.lock()));
        waiter = new Waiter(services.listener(), statements.key(), request.owner(), nudge);
        place = services.queue().map(queue -> queue.place(statements, waiter));
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(SqlFailures.STORE, atMost, this::tryAcquire);
    }

    private boolean tryAcquire(CallDeadline deadline) throws InterruptedException {
        retryAfter = null;
        Optional<Grant> grant = place.flatMap(QueuePlace::takeGrant);
        if (grant.isPresent()) {
            fence = grant.get().fence();
            leaseSpent = grant.get().spent(statements.request().lease());
            waiter.end();
            return true;
        }
        leaseSpent = Duration.ZERO;
        Outcome before = refused == null
                        && waits()
                        && place.filter(QueuePlace::looksFirst).isPresent()
                ? Outcome.LOOK_FIRST
                : refused;
        boolean rowIsThere = before == null && services.released().isLikelyThere(statements.key());
        PendingCall<Outcome> call =
                services.calls().start(deadline, lastTry, session -> attempt(session, before, rowIsThere));
        lastTry = call;
        Outcome attempt = call.await();
        lastTry = null;
        grantedAtOnce = refused == null && attempt.granted();
        hasBeenUnwanted = rowIsThere && attempt.granted();
        refused = attempt.granted() ? null : attempt;
        if (attempt.granted()) {
            waiter.takeGrant(); // the same one, confirmed meanwhile
            fence = attempt.fence();
        } else {
            retryAfter = retryAfter(attempt);
        }
        return attempt.granted();
    }

    private Outcome attempt(Session session, @Nullable Outcome before, boolean rowIsThere) {
        try {
            Outcome attempt = attemptOnce(session, before, rowIsThere);
            if (!attempt.granted() && waits() && mayHaveMissed(attempt)) {
                attempt = attemptOnce(session, attempt, false);
            }
            if (attempt.granted()) {
                waiter.end();
                place.ifPresent(mine -> mine.leave(session));
            }
            return attempt;
        } catch (RuntimeException unanswered) {
            unsure = true;
            throw unanswered;
        }
    }

    private Outcome attemptOnce(Session session, @Nullable Outcome before, boolean rowIsThere) {
        Optional<LockRow.Holder> watched = services.watch().flatMap(watch -> watch.ended(statements.key()));
        Outcome attempt = statements.tryAcquire(session, before, watched, rowIsThere, this::look);
        services.watch().ifPresent(watch -> attempt.row().ifPresent(row -> watch.saw(statements.key(), row)));
        return attempt;
    }

    private boolean waits() {
        return statements.request().waits();
    }

    /** Whoever waits is in the queue, and hears of grants, before it looks. */
    private Optional<LockRow> look(Session session) {
        if (place.isEmpty() || !waits()) {
            return statements.look(session);
        }
        waiter.begin();
        return place.get().enter(session);
    }

    /** Whether the lock may be had after all: it was released since, and that was not told. */
    private boolean mayHaveMissed(Outcome attempt) {
        return place.isEmpty()
                ? waiter.begin()
                : !attempt.guarded()
                        && attempt.row()
                                .filter(row -> !row.isGrantableTo(
                                        statements.request().owner(), services.sql().expiry, Optional.empty()))
                                .isEmpty();
    }

    private @Nullable Duration retryAfter(Outcome attempt) {
        if (attempt.guarded()) {
            return WHILE_GUARDED;
        }
        Optional<Duration> left = services.watch()
                .map(watch -> watch.left(statements.key()))
                .orElseGet(() -> attempt.row().flatMap(LockRow::remaining));
        return waiter.retryAfter(left).orElse(null);
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return isRenewed(services.calls().askToRenew(atMost, session -> statements.renew(session, lease)));
    }

    /** Remembers the answer to a renewal, alone or in a batch. */
    boolean isRenewed(Optional<Refusal> refusal) {
        leaseSpent = Duration.ZERO;
        heldAtRefusal = refusal.filter(Refusal::stillHeld).isPresent();
        return loss.isGranted(refusal.map(Refusal::loss));
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return heldAtRefusal;
    }

    @Override
    public boolean release(Duration atMost) {
        boolean repeated = releasedBefore;
        boolean unanswered = releaseSent && !releasedBefore;
        place.ifPresent(QueuePlace::releasing);
        releaseSent = true;
        if (lastTry == null || lastTry.hasEnded()) {
            waiter.end(); // also where the database does not answer: nobody asks again for ever
        }
        boolean held =
                loss.isGranted(CallDeadline.uninterruptibly(SqlFailures.STORE, atMost, deadline -> services.calls()
                        .startCleanUp(deadline, lastTry, session -> {
                            waiter.end();
                            place.ifPresent(mine -> mine.leave(session));
                            return statements.release(session, repeated, unsure, free(unanswered));
                        })
                        .await()));
        releasedBefore = true;
        if (held && grantedAtOnce) {
            services.released().released(statements.key());
        }
        services.sweeper().released();
        return held;
    }

    private Predicate<Session> free(boolean unanswered) {
        return place.<Predicate<Session>>map(mine -> session -> mine.release(session, unanswered, hasBeenUnwanted))
                .orElse(statements::free);
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        ClaimRequest.checkRaisedToken(token);
        return services.calls().ask(atMost, session -> statements.raiseToken(session, token));
    }

    @Override
    public long fencingToken() {
        return fence;
    }

    @Override
    public Duration leaseSpent() {
        return leaseSpent;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public Loss loss() {
        return loss.get();
    }
}
