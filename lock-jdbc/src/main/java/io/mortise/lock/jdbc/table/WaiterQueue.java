// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.notification.Waiter;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.DirectStatement;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * The queue of those who wait for a lock of a PostgreSQL database, one row for each client. The statement that releases a lock
 * grants it to the first of them and tells that client alone, which confirms by deleting its row.
 *
 * <p>No commit of these statements waits for the disk. A grant made by a release ends no later than the lease that was released: so
 * after a crash that forgets it, the lock's row still keeps others away for as long as its holder may rely on it. The queue itself
 * is empty after a crash, so that nothing in it can be taken for newer than it is. Thread-safe.
 */
public final class WaiterQueue {
    /** How long a client has time to confirm a grant; then others may have the lock. */
    static final Duration CONFIRMATION = Duration.ofMillis(600);

    static final long CONFIRMATION_MICROS = CONFIRMATION.toMillis() * 1000;

    /** Entries that were made so long before that of the holder have been served, or will come again. */
    private static final Duration OLDER = Duration.ofSeconds(1);

    private static final String ENTER = """
            with clock as materialized (select {now} as n from {unflushed}),
            entered as (
              insert into {queue} (lock_key, place, owner, label, lease_us, tokens, token_floor, channel, waiter)
              select :key, n, :owner, :label, :lease, :tokens, :floor, :channel, :waiter from clock
              where exists (select 1 from {table} t where t.lock_key = :key and t.owner <> :owner and t.expires_us > n)
                and not exists (select 1 from {queue} q where q.lock_key = :key and q.owner = :owner and q.called is null)
              on conflict do nothing)
            """ + LockRow.LOOK;

    private static final String LEAVE =
            "delete from {queue} using {unflushed} where lock_key = :key and owner = :owner";

    /**
     * Who does not confirm loses the lock at once, if nothing has changed the lock's row since it was called. Others in the queue may
     * be gone, too: all who are not come again when they are told.
     */
    private static final String EVICT = """
            with clock as materialized (select {now} as n from {unflushed}),
            gone as (
              delete from {queue} q using {table} t, clock c
              where q.lock_key = :key and t.lock_key = :key and t.owner = q.owner and t.version = q.called
                and t.acquired_us < c.n - :confirmation
              returning q.owner, q.called),
            others as (delete from {queue} q using gone g where q.lock_key = :key and q.owner <> g.owner),
            freed as (
              update {table} t set owner = null, left_us = 0, expires_us = c.n, version = t.version + 1
              from gone g, clock c where t.lock_key = :key and t.owner = g.owner and t.version = g.called
              returning t.lock_key)
            select pg_notify('{channel}', lock_key) from freed""";

    /** Of a lock that nobody waits for, or only one who comes at this moment, and who is told. */
    private static final String RELEASE_UNWANTED = """
            with clock as materialized (select {now} as n from {unflushed}),
            freed as (
              update {table} t set
                version = t.version + 1, released = t.owner, left_us = t.expires_us - n, owner = null, expires_us = n
              from clock
              where t.lock_key = :key and t.owner = :owner and t.expires_us > n and t.lease_us > 0
                and not exists (select 1 from {queue} q where q.lock_key = :key)
              returning t.lock_key)
            select pg_notify('{channel}', lock_key) from freed""";

    private static final String RELEASE = """
            with clock as materialized (select {now} as n from {unflushed}),
            next as materialized (
              select q.place, q.owner, q.label, q.lease_us, q.tokens, q.channel, q.waiter
              from clock c, {table} t, {queue} q
              where t.lock_key = :key and t.owner = :owner and t.expires_us > c.n and t.counter < c.n
                and q.lock_key = :key and q.place >= :from and q.called is null and q.owner <> :owner
                and q.token_floor < c.n
              order by q.place limit 1 for update of q skip locked),
            unguarded as materialized (
              select x.* from next x, {grants} g where g.lock_key = :key for update of g skip locked),
            freed as (
              update {table} t set
                version = t.version + 1, released = t.owner, left_us = t.expires_us - c.n,
                owner = x.owner, label = coalesce(x.label, t.label), lease_us = coalesce(x.lease_us, t.lease_us),
                revoked = case when x.owner is null then t.revoked end,
                fence = case when x.owner is null then t.fence else greatest(c.n, t.counter + 1) end,
                counter = case when x.owner is null then t.counter else greatest(c.n, t.counter + 1) + x.tokens - 1 end,
                acquired_us = case when x.owner is null then t.acquired_us else c.n end,
                expires_us = case when x.owner is null then c.n else least(t.expires_us, c.n + x.lease_us) end
              from clock c left join unguarded x on true
              where t.lock_key = :key and t.owner = :owner and t.expires_us > c.n and t.lease_us > 0 {known}
              returning t.lock_key, t.version, t.fence, x.place, x.owner as next, x.channel, x.waiter),
            called as (
              update {queue} q set called = f.version from freed f
              where q.lock_key = f.lock_key and q.place = f.place and q.owner = f.next),
            recorded as (
              update {grants} g set fence = f.fence from freed f where f.next is not null and g.lock_key = f.lock_key)
            select next is not null as granted,
                   case when next is null then cast(pg_notify('{channel}', lock_key) as text)
                        when channel <> '' then cast(pg_notify(channel, waiter || ' ' || place) as text) end
            from freed""";

    private static final String RELEASE_FIRST = RELEASE.replace("{known}", "");
    private static final String RELEASE_AGAIN = RELEASE.replace(
            "{known}", "and exists (select 1 from {queue} k where k.lock_key = '~' and k.owner = :mark)");

    private static final String MARK = """
            insert into {queue} (lock_key, place, owner, label, lease_us, tokens, token_floor, channel, waiter)
            select '~', {now}, md5(random() || ' ' || clock_timestamp()), '', 0, 0, 0, '', 0
            where not exists (select 1 from {queue} where lock_key = '~')""";
    private static final String LOOK_FOR_MARK = "select owner from {queue} where lock_key = '~' order by place limit 1";

    /** What a release came to. */
    enum Released {
        /** The claim did not hold the lock. */
        NOT_HELD,
        /** Nobody holds it now. */
        FREE,
        /** Another client has it now, and has to confirm it. */
        GRANTED
    }

    private final TableSql sql;
    private final String channel;
    private final GrantWatch watch;
    private volatile String mark;

    /**
     * The queue of a table.
     *
     * @param channel where this client listens; empty if it does not
     */
    public WaiterQueue(DatabaseCalls calls, Session session, TableSql sql, String channel) {
        this.sql = sql;
        this.channel = channel;
        watch = new GrantWatch(calls, this);
        mark = findMark(session);
    }

    private String findMark(Session session) {
        session.statement(sql.of(MARK)).changesARow();
        return session.statement(sql.of(LOOK_FOR_MARK))
                .one(row -> row.getString(1))
                .orElseThrow();
    }

    /** The place of one claim. */
    QueuePlace place(ClaimStatements statements, Waiter waiter) {
        return new QueuePlace(this, watch, statements, waiter);
    }

    /** What tells that the database has not crashed since; to be asked for before a release. */
    String mark() {
        return mark;
    }

    /** The database does not know the mark any more. */
    void renewMark(Session session) {
        mark = findMark(session);
    }

    /** Makes sure that a claim stands in the queue of a lock that is held, and looks at the lock. */
    Optional<LockRow> enter(Session session, ClaimRequest request, LockKey key, long leaseMicros, Waiter waiter) {
        return session.statement(sql.of(ENTER))
                .bind("key", key.key())
                .bind("owner", request.owner())
                .bind("label", AsciiText.encode(request.label()))
                .bind("lease", leaseMicros)
                .bind("tokens", request.tokenCount())
                .bind("floor", request.tokenFloor())
                .bind("channel", channel)
                .bind("waiter", waiter.number())
                .one(LockRow::of);
    }

    /** After this, no release grants the lock to the claim; one before it may have done so. */
    void leave(Session session, String owner, LockKey key) {
        session.statement(sql.of(LEAVE))
                .bind("key", key.key())
                .bind("owner", owner)
                .changesARow();
    }

    /** Frees the lock of a client that was granted it a while ago and has not confirmed it. */
    void evict(Session session, LockKey key) {
        session.statement(sql.of(EVICT))
                .bind("key", key.key())
                .bind("confirmation", CONFIRMATION_MICROS)
                .changesARow();
    }

    /** Frees a lock that nobody waits for; does nothing if somebody does, or if the claim does not hold it. */
    boolean releaseUnwanted(Session session, String owner, LockKey key) {
        return session.statement(sql.of(RELEASE_UNWANTED))
                .bind("key", key.key())
                .bind("owner", owner)
                .changesARow();
    }

    /**
     * Releases a lock, and grants it to the next.
     *
     * @param place when the holder came to the queue; 0 if it did not
     * @param knownMark the mark before the first release of this claim, if that was not answered: it may have granted the lock to
     *     somebody and then been forgotten in a crash. Empty for a first release
     */
    Released release(Session session, String owner, LockKey key, long place, Optional<String> knownMark) {
        DirectStatement statement = session.statement(sql.of(knownMark.isPresent() ? RELEASE_AGAIN : RELEASE_FIRST))
                .bind("key", key.key())
                .bind("owner", owner)
                .bind("from", place - OLDER.toMillis() * 1000);
        knownMark.ifPresent(known -> statement.bind("mark", known));
        return statement
                .one(row -> row.getBoolean("granted") ? Released.GRANTED : Released.FREE)
                .orElse(Released.NOT_HELD);
    }
}
