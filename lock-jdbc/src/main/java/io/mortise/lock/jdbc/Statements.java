// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

/** The SQL texts for one table in one dialect. Immutable. */
final class Statements {
    /** When a row's lock may be had: it is free, or it is the asker's own; and the asker has not released it. */
    private static final String GRANTABLE = "(t.owner is null or t.expires_us <= excluded.acquired_us"
            + " or (t.owner = excluded.owner and t.revoked is null))"
            + " and (t.released is null or t.released <> excluded.owner)";

    /** When the asker has the lock already: the answer to its first request was lost. */
    private static final String AGAIN = "t.owner = excluded.owner and t.expires_us > excluded.acquired_us";

    /** The first token of a row that is new: above the floor, above all rows swept before, and not before the clock. */
    private static final String FIRST = "{max}(n, cast(:floor as bigint) + 1, coalesce((select b.counter from {table} b"
            + " where b.lock_key = '" + LockKey.TABLE_ROW + "'), 0) + 1)";

    private static final String MINE = " where lock_key = :key and owner = :owner";
    private static final String HELD = " and expires_us > {now}";

    private static final String RENEWAL =
            "update {table} set expires_us = {now} + :lease" + MINE + HELD + " and revoked is null";

    private static final String HOLDERS =
            "select lock_key, lock_name, label, fence, acquired_us, expires_us, revoked, {now} as now_us from {table}"
                    + " where owner is not null" + HELD;

    /** Rows that nobody needs: released a while ago or left behind long ago, with a token that the clock has passed. */
    private static final String DEAD = " where lock_key > :from and lock_key <= :to"
            + " and expires_us < case when owner is null then {now} - 5000000 else {now} - 600000000 end"
            + " and counter < {now} - 5000000";

    final String check;
    final String acquire;
    final String look;
    final String renew;
    final String release;
    final String mark;
    final String markNew;
    final String raiseFence;
    final String inspect;
    final String list;
    final String revoke;
    final String revokeNow;
    final String tableRow;
    final String hand;
    final String windowEnd;
    final String deadCounter;
    final String moveHand;
    final String deleteDead;

    private final Dialect dialect;
    private final String table;

    Statements(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
        check = sql(
                "select lock_key, lock_name, owner, label, fence, counter, acquired_us, expires_us, left_us, revoked,"
                        + " released from {table} where 1 = 0");
        acquire = sql(dialect.acquire());
        look = sql("select owner, released, left_us, expires_us, revoked, {now} as now_us from {table}"
                + " where lock_key = :key");
        renew = sql(RENEWAL);
        release = sql(dialect.returning(
                "update {table} set owner = null, released = :owner, left_us = expires_us - {now},"
                        + " expires_us = case when expires_us > {now} then {now} else expires_us end" + MINE,
                "left_us, revoked"));
        mark = sql("update {table} set released = :owner, left_us = 0, expires_us = {max}(expires_us, {now} + :lease)"
                + " where lock_key = :key and owner is null");
        markNew =
                sql("insert into {table} (lock_key, lock_name, label, fence, counter, acquired_us, expires_us, left_us,"
                        + " released) select :key, :name, '', 0, 0, 0, {now} + :lease, 0, :owner"
                        + " where not exists (select 1 from {table} where lock_key = :key)");
        raiseFence = sql("update {table} set counter = {max}(counter, :token)" + MINE + HELD);
        inspect = sql(HOLDERS + " and lock_key = :key");
        list = sql(HOLDERS + " and lock_key > :after and lock_key >= :head and lock_key < :end order by lock_key"
                + " limit :limit");
        String revocation =
                "update {table} set revoked = :reason{now?} where lock_key = :key and owner is not null" + HELD;
        revoke = sql(revocation.replace("{now?}", ""));
        revokeNow = sql(revocation.replace("{now?}", ", expires_us = {now}"));
        String tableKey = "'" + LockKey.TABLE_ROW + "'";
        tableRow = sql("insert into {table} (lock_key, label, fence, counter, acquired_us, expires_us, left_us)"
                + " select " + tableKey + ", '', 0, 0, 0, 0, 0"
                + " where not exists (select 1 from {table} where lock_key = " + tableKey + ")");
        hand = sql("select lock_name from {table} where lock_key = " + tableKey);
        windowEnd = sql("select max(lock_key) as last, count(*) as n from (select lock_key from {table}"
                + " where lock_key > :from and lock_key < " + tableKey + " order by lock_key limit :limit) w");
        deadCounter = sql("select max(counter) as highest from {table}" + DEAD);
        moveHand = sql(
                "update {table} set lock_name = :to, counter = {max}(counter, :highest) where lock_key = " + tableKey);
        deleteDead = sql("delete from {table}" + DEAD + " and counter <= :highest");
    }

    private String sql(String template) {
        return template.replace("{grantable}", GRANTABLE)
                .replace("{again}", AGAIN)
                .replace("{first}", FIRST)
                .replace("{table}", table)
                .replace("{now}", dialect.now())
                .replace("{max}", dialect.greatest());
    }
}
