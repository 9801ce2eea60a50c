// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the window. It asks the register every third of the bound, and goes by an answer for no longer than the bound,
 * counted from before the question; so do all leases, whatever their stores have given. Thread-safe.
 *
 * <p>For each mode it remembers until when leases of it may be relied on: the bound after the last question that was answered with a window that
 * lets the mode in. Once that moment has passed, leases that were granted before it are lost for good, also when the mode is let in again.
 */
public final class WindowWatch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WindowWatch.class.getName());
    private static final String REGISTER = "the register of the migration";
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final Duration LONGEST_CALL = Duration.ofMillis(2500);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /** How much faster the clock of the register's operator may go than this one's. */
    private static final double DRIFT = 0.01;

    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;

    /**
     * That leases of a mode are let in.
     *
     * @param asked before the last question that was answered so
     * @param nanos for how long that counts from then
     * @param spell one more whenever it was over before it was answered so again
     */
    private record Permission(Moment asked, long nanos, long spell) {}

    /** What was read last, and what follows for each mode. */
    private record Known(MigrationRecord record, Moment asked, Map<LeaseMode, Permission> permissions) {}

    private final MigrationRegister register;
    private final Presence presence;
    private final Ticker ticker;
    private final DaemonExecutor threads = new DaemonExecutor("lock-migration", 1);
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Known known;

    /** Why there is no answer to go by, if the last question had one that lets nobody in. */
    private volatile @Nullable BackendException refusal;

    private volatile boolean closed;

    /**
     * Asks nothing yet.
     *
     * @param presence tells people what this one reads in the background
     */
    public WindowWatch(MigrationRegister register, Presence presence, Ticker ticker) {
        this.register = register;
        this.presence = presence;
        this.ticker = ticker;
    }

    /** Begins to ask, from now on and until it is closed. */
    public void start() {
        askLater(Duration.ZERO);
    }

    private void askLater(Duration pause) {
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, this::submit)
                .execute(this::askInBackground);
    }

    private void submit(Runnable question) {
        try {
            threads.execute(question);
        } catch (RejectedExecutionException ended) {
            // It is closed, and asks no more.
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void askInBackground() {
        Duration pause = FIRST_PAUSE;
        try {
            Known before = known;
            Duration third =
                    before == null ? LONGEST_CALL : before.record.bound().dividedBy(3);
            Duration atMost = third.compareTo(LONGEST_CALL) < 0 ? third : LONGEST_CALL;
            MigrationRecord record = ask(atMost);
            pause = record.bound().dividedBy(3);
            presence.tell(record, atMost);
        } catch (Throwable unanswered) {
            // Whatever it was: without this loop every lease would end.
            Known last = known;
            pause = last == null ? FIRST_PAUSE : last.record.bound().dividedBy(12);
            if (!closed) {
                LOG.log(Level.WARNING, "the register of the migration was not read: {0}", unanswered.getMessage());
            }
        }
        if (!closed) {
            askLater(pause);
        }
    }

    /**
     * Asks the register now.
     *
     * @throws BackendException if it did not answer, or if what it has lets nobody in
     */
    public MigrationRecord ask(Duration atMost) {
        Moment asked = Moment.now(ticker);
        MigrationRecord record;
        try {
            record = register.read(atMost).orElseThrow(register::missing).record();
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED) {
                refusal = failure;
            }
            throw failure;
        }
        boolean isAnother = learn(record, asked);
        if (isAnother) {
            waiting.forEach(Runnable::run);
        }
        return record;
    }

    /** Answers come in any order: one to an earlier question changes nothing. */
    private synchronized boolean learn(MigrationRecord record, Moment asked) {
        Known before = known;
        if (before != null && asked.nanos() - before.asked.nanos() < 0) {
            return false;
        }
        long nanos = record.bound().toNanos();
        nanos -= (long) Math.ceil(nanos * DRIFT) + CONSTANT_DRIFT_NANOS;
        Map<LeaseMode, Permission> permissions = new EnumMap<>(LeaseMode.class);
        for (LeaseMode mode : LeaseMode.values()) {
            Permission last = before == null ? null : before.permissions.get(mode);
            if (record.window().letsIn(mode)) {
                long spell = last == null ? 0 : left(last) > 0 ? last.spell : last.spell + 1;
                permissions.put(mode, new Permission(asked, nanos, spell));
            } else if (last != null) {
                permissions.put(mode, last);
            }
        }
        known = new Known(record, asked, permissions);
        refusal = null;
        return before != null && !before.record.equals(record);
    }

    /** The record to go by, asked for if none is known that still counts. */
    public MigrationRecord current(CallDeadline deadline) {
        Known last = known;
        if (last != null && refusal == null && counts(last)) {
            return last.record;
        }
        if (deadline.hasPassed()) {
            throw deadline.noAnswer(null);
        }
        return ask(Duration.ofNanos(deadline.remainingNanos()));
    }

    /** The record to go by, if one is known that still counts. */
    public Optional<MigrationRecord> known() {
        Known last = known;
        return last != null && counts(last) ? Optional.of(last.record) : Optional.empty();
    }

    private boolean counts(Known last) {
        Permission permission = last.permissions.get(last.record.mode());
        return permission != null && permission.asked.equals(last.asked) && left(permission) > 0;
    }

    /** In which spell leases of a mode are granted now; -1 if they are not. */
    public long spell(LeaseMode mode) {
        Known last = known;
        Permission permission = last == null ? null : last.permissions.get(mode);
        return permission != null && left(permission) > 0 ? permission.spell : -1;
    }

    /** For how much longer a lease may be relied on that was granted in a spell of its mode, in nanoseconds; zero or less if not. */
    public long reliableNanos(LeaseMode mode, long spell) {
        Known last = known;
        Permission permission = last == null ? null : last.permissions.get(mode);
        return permission == null || permission.spell != spell ? 0 : left(permission);
    }

    private long left(Permission permission) {
        return permission.nanos
                - Moment.elapsed(
                        ticker.nanos() - permission.asked.nanos(), ticker.wallMillis() - permission.asked.wallMillis());
    }

    /** Why leases of a mode may not be relied on any more. */
    public Loss loss(LeaseMode mode) {
        Optional<MigrationWindow> now = known().map(MigrationRecord::window);
        if (now.isPresent() && !now.get().letsIn(mode)) {
            return new Loss(
                    LossCause.REVOKED,
                    "the migration has gone on to the window " + now.get() + ", which lets in no lease of the mode "
                            + mode);
        }
        return new Loss(
                LossCause.EXPIRED, REGISTER + " did not confirm in time that leases of the mode " + mode + " count");
    }

    /** Has a waiter look again when the window has changed. */
    public void wake(Runnable nudge) {
        waiting.add(nudge);
    }

    /** Ends {@link #wake}. */
    public void wakeNoMore(Runnable nudge) {
        waiting.remove(nudge);
    }

    /** Asks no more. */
    @Override
    public void close() {
        closed = true;
        threads.close(CLOSING);
        presence.end(CLOSING);
    }
}
