// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.util.Locale;
import java.util.Optional;

/** Builds the SQL texts for one table in one dialect. Immutable. */
public final class Statements {
    /** PostgreSQL's limit for names. */
    private static final int LONGEST_CHANNEL = 63;

    /** When a row's lock may be had: it is free, or it is the asker's own; and the asker has not released it. */
    private static final String GRANTABLE =
            "(t.owner is null or {ended} or (t.owner = excluded.owner and t.revoked is null))"
                    + " and (t.released is null or t.released <> excluded.owner)";

    /** The first token of a row that is new: above the floor, above all rows swept before, and not before the clock. */
    private static final String FIRST = "{max}(n, cast(:floor as {long}) + 1, coalesce((select b.counter from {table} b"
            + " where b.lock_key = '" + LockKey.TABLE_ROW + "'), 0) + 1)";

    private static final String COLUMNS =
            "lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us";

    /** The columns of a row that is new. */
    private static final String FRESH =
            "select :key, :name, :owner, :label, f, f + :tokens - 1, 1, n, n + :lease, :lease, 0"
                    + " from (select n, {first} as f from (select {now} as n) clock) fresh";

    /** What a grant changes in a row that is there; a holder that asks again keeps its tokens. */
    private static final String GRANT = "owner = excluded.owner, label = :label, expires_us = excluded.expires_us,"
            + " lease_us = :lease, version = t.version + 1, revoked = null,"
            + " fence = case when {again} then t.fence else {max}(t.counter + 1, excluded.fence) end,"
            + " counter = case when {again} then t.counter"
            + " else {max}(t.counter + 1, excluded.fence) + :tokens - 1 end,"
            + " acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end";

    private static final String KEY = " {from} where lock_key = :key";
    private static final String MINE = KEY + " and owner = :owner";
    private static final String WINDOW = " where lock_key > :from and lock_key <= :to";
    private static final String TABLE_KEY = "'" + LockKey.TABLE_ROW + "'";

    private static final String HOLDERS =
            "select lock_key, lock_name, label, fence, acquired_us, expires_us, revoked, {now} as now_us from {table}"
                    + " where owner is not null{held}";

    /** Empty where the dialect has none; a lock is then acquired by reading its row and comparing the version. */
    public final Optional<String> acquire;

    final String check;
    final String checkGrants;
    public final String look;
    public final String grant;
    public final String freeGrant;
    public final String renew;
    public final String release;
    public final String releaseEnded;
    public final String undo;
    public final String mark;
    public final String markNew;
    public final String raiseToken;
    public final String inspect;
    public final String list;
    public final String revoke;
    public final String revokeNow;
    final String tableRow;
    final String tableLabel;
    public final String sweepPosition;
    public final String windowEnd;
    public final String deadCounter;
    public final String moveSweepPosition;
    public final String deleteDead;
    public final String deleteGrants;

    /** Where the database tells of releases in the table, if it can. */
    public final String channel;

    public final ExpiryMode expiry;

    private final Dialect dialect;
    private final String table;

    public Statements(Dialect dialect, String table, ExpiryMode expiry) {
        this.dialect = dialect;
        this.table = table;
        this.expiry = expiry;
        channel = channel(table);
        acquire = dialect.acquire().map(this::sql);
        check = sql(
                "select lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us,"
                        + " left_us, revoked, released from {table} where 1 = 0");
        checkGrants = sql("select lock_key, fence from {grants} where 1 = 0");
        look = sql(
                "select owner, released, left_us, expires_us, revoked, fence, counter, version, acquired_us, lease_us,"
                        + " {now} as now_us from {table} where lock_key = :key");
        grant = sql("select fence from {grants} where lock_key = :key");
        freeGrant = grant + " for update skip locked";
        renew = sql("{wait}update {table} set expires_us = {now} + :lease, version = version + 1" + MINE
                + "{held} and revoked is null");
        release = sql(dialect.releasing(
                "{wait}update {table} set owner = null, released = :owner, left_us = {left}, expires_us = {now},"
                        + " version = version + 1" + MINE + "{held}"));
        releaseEnded = sql(
                "{wait}update {table} set owner = null, released = :owner, left_us = 0, version = version + 1" + MINE);
        undo = sql(
                "{wait}update {table} set owner = null, left_us = 0, expires_us = {now}, version = version + 1" + MINE);
        mark = sql(
                "{wait}update {table} set released = :owner, left_us = 0, expires_us = {max}(expires_us, {now} + :lease),"
                        + " version = version + 1" + KEY + " and owner is null");
        markNew =
                sql("insert into {table} (lock_key, lock_name, label, fence, counter, version, acquired_us, expires_us,"
                        + " lease_us, left_us, released) select :key, :name, '', 0, 0, 0, 0, {now} + :lease, 0, 0, :owner"
                        + " from (select 1 as one) o where not exists (select 1 from {table} where lock_key = :key)");
        raiseToken = sql(
                "{wait}update {table} set counter = {max}(counter, :token), version = version + 1" + MINE + "{held}");
        inspect = sql(HOLDERS + " and lock_key = :key");
        list = sql(HOLDERS + " and lock_key > :after and lock_key >= :head and lock_key < :end order by lock_key"
                + " limit :limit");
        String revocation = "{wait}update {table} set revoked = :reason, version = version + 1{now?}" + KEY
                + " and owner is not null{held}";
        revoke = sql(revocation.replace("{now?}", ""));
        revokeNow = sql(dialect.releasing(revocation.replace("{now?}", ", expires_us = {now}, lease_us = 0")));
        tableRow =
                sql("insert into {table} (lock_key, label, fence, counter, version, acquired_us, expires_us, lease_us,"
                        + " left_us) select " + TABLE_KEY + ", '" + expiry.label
                        + "', 0, 0, 0, 0, 0, 0, 0 from (select 1 as one) o"
                        + " where not exists (select 1 from {table} where lock_key = " + TABLE_KEY + ")");
        tableLabel = sql("select label from {table} where lock_key = " + TABLE_KEY);
        sweepPosition = sql("select lock_name from {table} where lock_key = " + TABLE_KEY);
        windowEnd = sql("select max(lock_key) as last, count(*) as n from (select lock_key from {table}"
                + " where lock_key > :from and lock_key < " + TABLE_KEY + " order by lock_key limit :limit) w");
        deadCounter = sql("select max(counter) as highest from {table}" + WINDOW + "{dead}");
        moveSweepPosition = sql(
                "{wait}update {table} set lock_name = :to, counter = {max}(counter, :highest) {from} where lock_key = "
                        + TABLE_KEY);
        deleteDead = sql("{wait}delete from {table} {using}" + WINDOW + "{dead} and counter <= :highest");
        deleteGrants = sql("{wait}delete from {grants} {using}" + WINDOW
                + " and fence <= (select b.counter from {table} b"
                + " where b.lock_key = " + TABLE_KEY + ") and lock_key not in (select b.lock_key from {table} b where"
                + " b.lock_key > :from and b.lock_key <= :to)");
    }

    /** Where releases in a table are told. Two tables may share one: needless wake-ups are harmless. */
    private static String channel(String table) {
        String name = table.toLowerCase(Locale.ROOT);
        return name.substring(Math.max(0, name.length() - LONGEST_CHANNEL));
    }

    /** Fills in what differs between ways of expiry, databases and tables. */
    public String sql(String template) {
        String bounded = dialect.bounded();
        return template.replace("{fresh}", FRESH)
                .replace("{grant}", GRANT)
                .replace("{grantable}", GRANTABLE)
                .replace("{columns}", COLUMNS)
                .replace("{first}", FIRST)
                .replace("{ended}", expiry.ended)
                .replace("{again}", expiry.again)
                .replace("{held}", expiry.held)
                .replace("{left}", expiry.left)
                .replace("{dead}", expiry.dead)
                .replace("{from}", bounded.isEmpty() ? "" : "from " + bounded)
                .replace("{using}", bounded.isEmpty() ? "" : "using " + bounded)
                .replace("{wait}", dialect.waiting())
                .replace("{try}", dialect.trying())
                .replace("{now}", dialect.now())
                .replace("{max}", dialect.max())
                .replace("{long}", dialect.longType())
                .replace("{channel}", channel)
                .replace("{table}", table)
                .replace("{grants}", table + Schema.GRANTS);
    }
}
