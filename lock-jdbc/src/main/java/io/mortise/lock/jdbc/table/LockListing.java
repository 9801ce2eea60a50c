// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.LockHolder;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads who holds which lock, and revokes locks, for operators. Stateless. */
public final class LockListing {
    /** Greater than every character of a key. */
    private static final char AFTER_ALL = '\u007f';

    private static final String HOLDERS = """
            select lock_key, lock_name, label, fence, acquired_us, expires_us, revoked, {now} as now_us
            from {table} where owner is not null {held}
            """;
    private static final String INSPECT = HOLDERS + "and lock_key = :key";
    private static final String LIST =
            HOLDERS + "and lock_key > :after and lock_key >= :head and lock_key < :end order by lock_key limit :limit";
    private static final String REVOKE = """
            {wait}update {table} set revoked = :reason, version = version + 1
            {from} where lock_key = :key and owner is not null {held}""";
    private static final String REVOKE_NOW = """
            {wait}update {table} set revoked = :reason, version = version + 1, expires_us = {now}, lease_us = 0
            {from} where lock_key = :key and owner is not null {held}""";

    /** What was swept is in the row of the table, and what comes after it is not below the clock. */
    private static final String HIGHEST_TOKEN =
            "select coalesce(max(counter), 0) as highest, {now} as now_us from {table}";

    private record Entry(String key, LockHolder holder) {}

    private final TableSql sql;

    public LockListing(TableSql sql) {
        this.sql = sql;
    }

    public Optional<LockHolder> inspect(Session session, String lock) {
        return session.statement(sql.of(INSPECT))
                .bind("key", LockKey.of(lock).key())
                .one(row -> entry(row).holder);
    }

    /** Keys of long names do not hold all of a long prefix, so a page may take several queries. */
    public List<LockHolder> list(Session session, String prefix, String after, int limit) {
        String head = LockKey.commonHead(prefix);
        String position = after.isEmpty() ? "" : LockKey.of(after).key();
        List<LockHolder> page = new ArrayList<>();
        while (true) {
            List<Entry> entries = session.statement(sql.of(LIST))
                    .bind("after", position)
                    .bind("head", head)
                    .bind("end", head + AFTER_ALL)
                    .bind("limit", limit)
                    .all(this::entry);
            for (Entry entry : entries) {
                if (page.size() < limit && entry.holder.lock().startsWith(prefix)) {
                    page.add(entry.holder);
                }
            }
            if (entries.size() < limit || page.size() == limit) {
                return page;
            }
            position = entries.get(entries.size() - 1).key;
        }
    }

    public long highestToken(Session session) {
        return session.statement(sql.of(HIGHEST_TOKEN))
                .one(row -> Math.max(row.getLong("highest"), row.getLong("now_us")))
                .orElseThrow();
    }

    public boolean revoke(Session session, String lock, String reason, boolean now) {
        return session.statement(now ? sql.releasing(REVOKE_NOW) : sql.of(REVOKE))
                .bind("key", LockKey.of(lock).key())
                .bind("reason", AsciiText.encode(reason))
                .changesARow();
    }

    private Entry entry(ResultSet row) throws SQLException {
        long now = row.getLong("now_us");
        String key = row.getString("lock_key");
        Optional<String> revoked = Optional.ofNullable(row.getString("revoked")).map(AsciiText::decode);
        return new Entry(
                key,
                new LockHolder(
                        LockKey.name(key, row.getString("lock_name")),
                        AsciiText.decode(row.getString("label")),
                        row.getLong("fence"),
                        Duration.of(Math.max(0, now - row.getLong("acquired_us")), ChronoUnit.MICROS),
                        remaining(row.getLong("expires_us") - now),
                        OptionalInt.empty(),
                        revoked));
    }

    /** Without a clock, only those who watch the holder know when they may take over. */
    private Optional<Duration> remaining(long micros) {
        return sql.expiry == ExpiryMode.BY_CLOCK
                ? Optional.of(Duration.of(Math.max(0, micros), ChronoUnit.MICROS))
                : Optional.empty();
    }
}
