// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.sql.DirectStatement;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Deletes old rows of released locks in small steps: one at the first release of a client and at every
 * {@value #RELEASES_PER_STEP}th after, and a while after the last, until nothing is left to do. The position is kept in
 * the table's own row, so that clients that live for a moment move it on, too.
 *
 * <p>A step is some statements, each safe alone: the table's row first keeps the highest token of what will be removed, so
 * that a name that comes back has a greater one whatever the clock does. Records of grants go after their locks. Thread-safe.
 */
public final class Sweeper {
    public static final int RELEASES_PER_STEP = 64;
    private static final int WINDOW = 512;
    private static final long REST_SECONDS = 6;
    private static final String FIRST_KEY = "";

    private static final String POSITION = "select lock_name from {table} where lock_key = '~'";
    private static final String WINDOW_END = """
            select max(lock_key) as last, count(*) as n
            from (select lock_key from {table} where lock_key > :from and lock_key < '~' order by lock_key limit :limit) w""";
    private static final String DEAD = """
            select lock_key, counter from {table} where lock_key > :from and lock_key <= :to {dead} order by lock_key""";
    private static final String MOVE_POSITION = """
            {wait}update {table} set lock_name = :to, counter = {max}(counter, :highest) {from} where lock_key = '~'""";
    private static final String DELETE_DEAD = """
            {wait}delete from {table} {using} where lock_key = :key {dead} and counter <= :highest""";
    private static final String LEFT_GRANTS = """
            select g.lock_key from {grants} g
            where g.lock_key > :from and g.lock_key <= :to
              and g.fence <= (select b.counter from {table} b where b.lock_key = '~')
              and not exists (select 1 from {table} b where b.lock_key = g.lock_key)
            order by g.lock_key limit :limit""";
    private static final String DELETE_GRANT = """
            {wait}delete from {grants} {using}
            where lock_key = :key and fence <= (select b.counter from {table} b where b.lock_key = '~')
              and not exists (select 1 from {table} b where b.lock_key = :key)""";

    /** Of claims that are gone: one that still waits comes again. */
    private static final String DELETE_WAITERS = """
            delete from {queue} {using}
            where lock_key > :from and lock_key <= :to and lock_key < '~' and place < {now} - 3600000000""";

    private record Window(String last, int rows) {}

    private record Dead(String key, long counter) {}

    private final DatabaseCalls calls;
    private final TableSql sql;
    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicBoolean roundPlanned = new AtomicBoolean();

    public Sweeper(DatabaseCalls calls, TableSql sql) {
        this.calls = calls;
        this.sql = sql;
    }

    /** To be called after each release. Returns at once. */
    void released() {
        if (releases.getAndIncrement() % RELEASES_PER_STEP == 0) {
            submit(this::sweptToTheEnd);
        }
        if (!roundPlanned.get() && roundPlanned.compareAndSet(false, true)) {
            planRound();
        }
    }

    /** The rest makes rows old enough to go; the wait is the JDK's, no thread of ours. */
    private void planRound() {
        int releasesBefore = releases.get();
        CompletableFuture.delayedExecutor(REST_SECONDS, TimeUnit.SECONDS, this::submit)
                .execute(() -> round(releasesBefore, 2));
    }

    /**
     * One window after the other, each a call of its own so that others come in between. The first may begin anywhere, so
     * all of the table was swept when the end was reached twice.
     */
    private void round(int releasesBefore, int endsToCome) {
        int toCome = sweptToTheEnd() ? endsToCome - 1 : endsToCome;
        if (toCome > 0) {
            submit(() -> round(releasesBefore, toCome));
        } else if (releases.get() != releasesBefore) {
            planRound();
        } else {
            roundPlanned.set(false);
            if (releases.get() != releasesBefore && roundPlanned.compareAndSet(false, true)) {
                planRound();
            }
        }
    }

    private void submit(Runnable sweep) {
        try {
            calls.execute(sweep);
        } catch (RejectedExecutionException closed) {
            roundPlanned.set(true);
        }
    }

    /** Whether the end was reached, or something is in the way of this round. */
    private boolean sweptToTheEnd() {
        try {
            return calls.runOnce(this::step);
        } catch (RuntimeException another) {
            return true;
        }
    }

    /** Sweeps one window; answers whether it was the last one of the table. */
    private boolean step(Session session) {
        String from =
                session.statement(sql.of(POSITION)).one(row -> row.getString(1)).orElse(FIRST_KEY);
        Window window = session.statement(sql.of(WINDOW_END))
                .bind("from", from)
                .bind("limit", WINDOW)
                .one(row -> new Window(row.getString(1), row.getInt(2)))
                .orElseThrow();
        boolean last = window.rows < WINDOW;
        String to = window.rows == 0 ? from : window.last;
        List<Dead> dead = session.statement(sql.of(DEAD))
                .bind("from", from)
                .bind("to", to)
                .all(row -> new Dead(row.getString(1), row.getLong(2)));
        long highest = dead.stream().mapToLong(Dead::counter).max().orElse(0);
        session.statement(sql.of(MOVE_POSITION))
                .bind("to", last ? FIRST_KEY : to)
                .bind("highest", highest)
                .changesARow();
        delete(dead.stream()
                .map(row -> session.statement(sql.of(DELETE_DEAD))
                        .bind("key", row.key)
                        .bind("highest", highest))
                .toList());
        if (sql.dialect.recordsGrants()) {
            List<String> left = session.statement(sql.of(LEFT_GRANTS))
                    .bind("from", from)
                    .bind("to", last ? LockKey.TABLE_ROW : to)
                    .bind("limit", WINDOW)
                    .all(row -> row.getString(1));
            delete(left.stream()
                    .map(key -> session.statement(sql.of(DELETE_GRANT)).bind("key", key))
                    .toList());
        }
        if (sql.hasQueue()) {
            session.statement(sql.of(DELETE_WAITERS))
                    .bind("from", from)
                    .bind("to", last ? LockKey.TABLE_ROW : to)
                    .changesARow();
        }
        return last;
    }

    /** Each by its key: a delete of a range locks in some databases whatever it reads, and meets guards that it does not concern. */
    private static void delete(List<DirectStatement> deletions) {
        if (!deletions.isEmpty()) {
            int[] unused = DirectStatement.changedTogether(deletions);
        }
    }
}
