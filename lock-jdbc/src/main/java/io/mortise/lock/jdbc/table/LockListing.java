// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.LockHolder;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.ChangedRows;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;

/** Reads who holds which lock, and revokes locks, for operators. Stateless. */
public final class LockListing {
    /** Greater than every character of a key. */
    private static final char AFTER_ALL = '\u007f';

    private record Entry(String key, LockHolder holder) {}

    private final Statements sql;

    public LockListing(Statements sql) {
        this.sql = sql;
    }

    public Optional<LockHolder> inspect(Handle handle, String lock) {
        return handle.createQuery(sql.inspect)
                .bind("key", LockKey.of(lock).key())
                .map((row, context) -> entry(row).holder)
                .findOne();
    }

    /** Keys of long names do not hold all of a long prefix, so a page may take several queries. */
    public List<LockHolder> list(Handle handle, String prefix, String after, int limit) {
        String head = LockKey.commonHead(prefix);
        String position = after.isEmpty() ? "" : LockKey.of(after).key();
        List<LockHolder> page = new ArrayList<>();
        while (true) {
            List<Entry> entries = handle.createQuery(sql.list)
                    .bind("after", position)
                    .bind("head", head)
                    .bind("end", head + AFTER_ALL)
                    .bind("limit", limit)
                    .map((row, context) -> entry(row))
                    .list();
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

    public boolean revoke(Handle handle, String lock, String reason, boolean now) {
        return ChangedRows.any(handle.createUpdate(now ? sql.revokeNow : sql.revoke)
                .bind("key", LockKey.of(lock).key())
                .bind("reason", AsciiText.encode(reason)));
    }

    private static Entry entry(ResultSet row) throws SQLException {
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
                        Duration.of(row.getLong("expires_us") - now, ChronoUnit.MICROS),
                        OptionalInt.empty(),
                        revoked));
    }
}
