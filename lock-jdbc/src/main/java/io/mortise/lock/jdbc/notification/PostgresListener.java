// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import io.mortise.lock.Ticker;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.support.Moment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives PostgreSQL notifications of released locks on a separate connection, which is open while claims wait and for a
 * short time afterwards. If the connection breaks, waiters poll until there is another. A connection that is silent is asked
 * now and then whether it still lives. Thread-safe.
 */
public final class PostgresListener implements AutoCloseable {
    private static final Pattern NUMBER_AND_PLACE = Pattern.compile("(\\d{1,18}) (\\d{1,18})");
    private static final int HEARTBEAT_MILLIS = 5_000;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CLOSING_MILLIS = 1_000;

    /** All waiters of a client together ask the database once in this time, though nothing was told. */
    private static final Duration SAFETY_POLL = Duration.ofSeconds(2);

    /** Takes a grant for good: the one who waited is now the only one who may use it. */
    private static final String CONFIRM = """
            with clock as materialized (select {now} as n from {unflushed}),
            confirmed as (
              delete from {queue} q using {table} t, clock c
              where q.lock_key = ? and q.place = ? and q.owner = ?
                and t.lock_key = q.lock_key and t.owner = q.owner and t.version = q.called
              returning t.fence, t.expires_us - c.n as left_us)
            select fence, left_us from confirmed""";

    private final ConnectionOpener opener;
    private final String channel;
    private final String ownChannel = "mortise-" + UUID.randomUUID();
    private final String confirm;
    private final Waiters waiters = new Waiters();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();

    private @Nullable Thread thread;
    private @Nullable Connection connection;
    private boolean closed;
    private volatile boolean on;
    private volatile long lastWanted;

    /** A listener that has no connection yet. */
    public PostgresListener(ConnectionOpener opener, TableSql sql) {
        this.opener = opener;
        channel = sql.channel;
        confirm = sql.of(CONFIRM);
    }

    /** Where grants to claims of this client are told. */
    public String ownChannel() {
        return ownChannel;
    }

    /**
     * Nudges a waiter from now on whenever it is worth looking again, at the latest when notifications begin.
     *
     * @return whether notifications are on already, so that what was released before now was perhaps not told
     */
    public boolean subscribe(Waiter waiter) {
        waiters.add(waiter);
        lastWanted = System.nanoTime();
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(null, this::run, "lock-jdbc-listener", 0, false);
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
        return on;
    }

    /** Ends {@link #subscribe}. Harmless if repeated. */
    public void unsubscribe(Waiter waiter) {
        waiters.remove(waiter);
        lastWanted = System.nanoTime();
    }

    /** Whether notifications arrive at the moment. */
    public boolean areOn() {
        return on;
    }

    /** After how long a waiter looks again although nothing was told, while notifications are on. */
    public Duration safetyPoll() {
        return SAFETY_POLL.multipliedBy(Math.max(1, waiters.count()));
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        while (goesOn(0)) {
            try (Connection opened = opener.open()) {
                if (use(opened)) {
                    listen(opened);
                    pause = FIRST_PAUSE_NANOS;
                }
            } catch (SQLException | RuntimeException broken) {
                pause = on ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, pause * 2);
            } finally {
                on = false;
                use(null);
                waiters.nudgeAll();
            }
            if (!goesOn(pause)) {
                return;
            }
        }
    }

    /** Waits, and tells whether anybody still listens; if not, this thread is over. */
    private boolean goesOn(long pauseNanos) {
        lock.lock();
        try {
            long left = pauseNanos;
            while (left > 0 && !closed) {
                left = closing.awaitNanos(left);
            }
            if (!closed && !isIdle()) {
                return true;
            }
            thread = null;
        } catch (InterruptedException nobodysDoing) {
            thread = null; // the next subscription begins another
        } finally {
            lock.unlock();
        }
        return false;
    }

    private boolean isIdle() {
        return waiters.count() == 0 && System.nanoTime() - lastWanted > IDLE_NANOS;
    }

    private boolean use(@Nullable Connection opened) {
        lock.lock();
        try {
            connection = closed ? null : opened;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void listen(Connection opened) throws SQLException {
        opened.setAutoCommit(true);
        PGConnection notified = opened.unwrap(PGConnection.class);
        try (Statement statement = opened.createStatement();
                PreparedStatement confirmation = opened.prepareStatement(confirm)) {
            statement.execute("listen \"" + channel + "\"");
            statement.execute("listen \"" + ownChannel + "\"");
            on = true;
            waiters.nudgeAll(); // for what was released before
            while (!isIdle()) {
                PGNotification[] releases = notified.getNotifications(HEARTBEAT_MILLIS);
                if (releases == null || releases.length == 0) {
                    statement.execute("select 1");
                } else {
                    for (PGNotification release : releases) {
                        if (release.getName().equals(ownChannel)) {
                            granted(release.getParameter(), confirmation);
                        } else {
                            waiters.nudge(release.getParameter());
                        }
                    }
                }
            }
            statement.execute("unlisten *");
        }
    }

    /** Anybody may tell anything: what counts is what the table says. */
    private void granted(String numberAndPlace, PreparedStatement confirmation) throws SQLException {
        Matcher parts = NUMBER_AND_PLACE.matcher(numberAndPlace);
        Waiter waiter =
                parts.matches() ? waiters.find(Long.parseLong(parts.group(1))).orElse(null) : null;
        if (waiter == null) {
            return; // it has left, and gives back what it was granted
        }
        long place = Long.parseLong(parts.group(2));
        Moment asked = Moment.now(Ticker.system());
        confirmation.setString(1, waiter.key());
        confirmation.setLong(2, place);
        confirmation.setString(3, waiter.owner());
        try (ResultSet confirmed = confirmation.executeQuery()) {
            if (confirmed.next()) {
                waiter.granted(Grant.of(confirmed.getLong(1), place, confirmed.getLong(2), asked));
            } else {
                waiter.nudge();
            }
        } catch (SQLException unanswered) {
            waiter.nudge();
            if (confirmation.getConnection().isClosed()) {
                throw unanswered;
            }
        }
    }

    /** Breaks the connection off, since nothing else ends a read. */
    @Override
    public void close() {
        Thread last;
        Connection open;
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
            last = thread;
            open = connection;
        } finally {
            lock.unlock();
        }
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
            if (last != null) {
                last.join(CLOSING_MILLIS);
            }
        } catch (SQLException goneAlready) {
            // it ends by itself
        } catch (InterruptedException noPatience) {
            Thread.currentThread().interrupt();
        }
    }
}
