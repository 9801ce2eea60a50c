// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.shedlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.spi.BackendException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * ShedLock's table in PostgreSQL: a row for each name, free from {@code lock_until} on. Times are those of the database in UTC, as
 * {@code usingDbTime()} has them. Read from ShedLock 7.10. Immutable.
 *
 * @param name the table
 * @param longestName how many characters the name of a lock may have
 */
record ShedLockTable(String name, int longestName) {
    private static final String HOLDER = "mortise:";
    private static final int OWNER_LENGTH = 32;
    private static final int LONGEST_HOLDER = 255;

    private static final String NOW = "timezone('utc', clock_timestamp())";
    private static final String LEASE_END = NOW + " + :micros * interval '1 microsecond'";

    /** Where the column counts milliseconds, the end is rounded to the nearest. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    private static final String COLUMNS = """
            select column_name, data_type, character_maximum_length from information_schema.columns
            where table_name = :table and table_schema = coalesce(cast(:schema as text), current_schema())""";

    /**
     * The table of a name.
     *
     * @param table perhaps after a schema and a dot
     * @throws LockConfigurationException if there is none, or if it is none of ShedLock's
     */
    static ShedLockTable of(Session session, String table) {
        int dot = table.indexOf('.');
        record Column(String name, String type, int length) {}
        List<Column> columns = session.handle()
                .createQuery(COLUMNS)
                .bind("table", table.substring(dot + 1))
                .bind("schema", dot < 0 ? null : table.substring(0, dot))
                .map((row, context) -> new Column(row.getString(1), row.getString(2), row.getInt(3)))
                .list();
        long times = columns.stream()
                .filter(column -> List.of("lock_until", "locked_at").contains(column.name()))
                .filter(column -> column.type().equals("timestamp without time zone"))
                .count();
        Optional<Column> names =
                columns.stream().filter(column -> column.name().equals("name")).findFirst();
        if (times != 2 || names.isEmpty()) {
            throw new LockConfigurationException("there is no table " + table
                    + " of ShedLock's in this schema, with the columns name, lock_until, locked_at and locked_by, and the"
                    + " times as timestamps without a time zone");
        }
        int length = names.get().length();
        return new ShedLockTable(table, length == 0 ? Integer.MAX_VALUE : length);
    }

    /** Who holds, as the table has it: the owner, so that no other claim is taken for it, and the label for people. */
    static String holder(String owner, String label) {
        String all = HOLDER + owner + ":" + AsciiText.encode(label);
        return all.substring(0, Math.min(all.length(), LONGEST_HOLDER));
    }

    private static String label(String holder) {
        int end = HOLDER.length() + OWNER_LENGTH + 1;
        try {
            return holder.startsWith(HOLDER) && holder.length() >= end
                    ? AsciiText.decode(holder.substring(end))
                    : holder;
        } catch (IllegalArgumentException cutOff) {
            return holder;
        }
    }

    private String checked(String lock) {
        if (lock.codePointCount(0, lock.length()) > longestName
                || lock.indexOf(0) >= 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(lock)) {
            throw BackendException.refused(
                    "the name of a lock in the table " + name + " has up to " + longestName
                            + " characters, all of them valid Unicode and none the null character",
                    null);
        }
        return lock;
    }

    /** True if it was free, or is the holder's already, who keeps since when he has it. */
    boolean take(Session session, String lock, String holder, Duration lease) {
        return session.handle()
                        .createUpdate(
                                "insert into " + name + " as t (name, lock_until, locked_at, locked_by) values (:lock, "
                                        + LEASE_END + ", " + NOW + ", :holder) on conflict (name) do update set"
                                        + " lock_until = excluded.lock_until, locked_by = excluded.locked_by,"
                                        + " locked_at = case when t.locked_by = excluded.locked_by then t.locked_at"
                                        + " else excluded.locked_at end"
                                        + " where t.lock_until <= excluded.locked_at or t.locked_by = excluded.locked_by")
                        .bind("lock", checked(lock))
                        .bind("holder", holder)
                        .bind("micros", micros(lease))
                        .execute()
                == 1;
    }

    /** True if the holder has it, until then. */
    boolean keep(Session session, String lock, String holder, Duration lease) {
        return session.handle()
                        .createUpdate("update " + name + " set lock_until = " + LEASE_END
                                + " where name = :lock and locked_by = :holder and lock_until > " + NOW)
                        .bind("lock", checked(lock))
                        .bind("holder", holder)
                        .bind("micros", micros(lease))
                        .execute()
                == 1;
    }

    /** True if the holder had it. */
    boolean free(Session session, String lock, String holder) {
        return session.handle()
                        .createUpdate("update " + name + " set lock_until = " + NOW
                                + " where name = :lock and locked_by = :holder and lock_until > " + NOW)
                        .bind("lock", checked(lock))
                        .bind("holder", holder)
                        .execute()
                == 1;
    }

    Optional<LockHolder> holder(Session session, String lock) {
        return holders(session, "t.name = :lock", checked(lock), "", 1).stream().findFirst();
    }

    /** In the order of the bytes of the names, which no setting of the database changes. */
    List<LockHolder> holders(Session session, String prefix, String after, int limit) {
        return holders(
                session,
                "starts_with(t.name, :lock) and (:after = '' or t.name collate \"C\" > :after collate \"C\")",
                prefix,
                after,
                limit);
    }

    private List<LockHolder> holders(Session session, String which, String lock, String after, int limit) {
        return session.handle()
                .createQuery("select t.name, t.locked_by, extract(epoch from n - t.locked_at) * 1000 as held,"
                        + " extract(epoch from t.lock_until - n) * 1000 as remaining from " + name + " t, (select "
                        + NOW
                        + " as n) clock where t.lock_until > n and " + which
                        + " order by t.name collate \"C\" limit :limit")
                .bind("lock", lock)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> new LockHolder(
                        row.getString("name"),
                        label(row.getString("locked_by")),
                        0,
                        Duration.ofMillis(Math.max(0, row.getLong("held"))),
                        Optional.of(Duration.ofMillis(row.getLong("remaining"))),
                        OptionalInt.empty(),
                        Optional.empty()))
                .list();
    }

    private static long micros(Duration lease) {
        return lease.plus(ROUNDING).plusNanos(999).toNanos() / 1000;
    }
}
