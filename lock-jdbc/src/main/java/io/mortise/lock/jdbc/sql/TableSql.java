// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the SQL for one table in one dialect from templates, which stand beside the code that runs them. Each
 * {@code {piece}} of a template is a word of the {@link Dialect}, a condition of the {@link ExpiryMode}, the name of a
 * table, or a part that the dialects share in the statements that acquire. Thread-safe.
 */
public final class TableSql {
    private static final Pattern PIECE = Pattern.compile("\\{(\\w+)}");

    /** PostgreSQL's limit for names. */
    private static final int LONGEST_CHANNEL = 63;

    private static final Map<String, String> SHARED = Map.of(
            "columns",
            "lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us",

            // The row of a lock that has none.
            "fresh",
            """
            select :key, :name, :owner, :label, f, f + :tokens - 1, 1, n, n + :lease, :lease, 0
            from (select n, {first} as f from (select {now} as n) clock) fresh""",

            // Its first token: above the floor, above all rows swept before, and not before the clock.
            "first",
            "{max}(n, :lowest, coalesce((select b.counter from {table} b where b.lock_key = '~'), 0) + 1)",

            // When a row's lock may be had: it is free, or it is the asker's own; and the asker has not released it.
            "grantable",
            """
            (t.owner is null or {ended} or (t.owner = excluded.owner and t.revoked is null))
            and (t.released is null or t.released <> excluded.owner)""",

            // What a grant changes in a row that is there; a holder that asks again keeps its tokens.
            "grant",
            """
            owner = excluded.owner, label = :label, expires_us = excluded.expires_us, lease_us = :lease,
            version = t.version + 1, revoked = null,
            fence = case when {again} then t.fence else {max}(t.counter + 1, excluded.fence) end,
            counter = case when {again} then t.counter
                      else {max}(t.counter + 1, excluded.fence) + :tokens - 1 end,
            acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end""");

    public final Dialect dialect;
    public final ExpiryMode expiry;

    /** Where the tables are. */
    public final TablePlace place;

    /** Where PostgreSQL tells of releases in the table. Two tables may share one: needless wake-ups are harmless. */
    public final String channel;

    final TableSettings settings;
    private final Map<String, String> pieces = new HashMap<>(SHARED);
    private final Map<String, String> statements = new ConcurrentHashMap<>();
    private final Map<String, String> releases = new ConcurrentHashMap<>();

    /**
     * The SQL for the tables that a connection finds, or makes.
     *
     * @throws LockConfigurationException if it is not certain that all clients find the same
     */
    public TableSql(Dialect dialect, TableSettings settings, Connection connection) throws SQLException {
        this.dialect = dialect;
        this.settings = settings;
        place = TablePlace.of(connection, dialect, settings.table());
        expiry = settings.expiry();
        String name = AsciiText.encode(place.toString());
        channel = name.substring(Math.max(0, name.length() - LONGEST_CHANNEL));
        pieces.putAll(Map.of("wait", "", "try", "", "from", "", "using", ""));
        pieces.putAll(dialect.bounds());
        pieces.putAll(expiry.pieces);
        pieces.put("now", dialect.now());
        pieces.put("max", dialect.max());
        pieces.put("standby", dialect.standby());
        pieces.put("channel", channel);
        pieces.put("table", place.locks());
        pieces.put("grants", place.grants());
        pieces.put("queue", place.queue());
    }

    /** Whether those who wait stand in a queue, so that a release grants the lock to the first of them. */
    public boolean hasQueue() {
        return dialect.hasQueue() && expiry == ExpiryMode.BY_CLOCK;
    }

    /** The statement of a template. */
    public String of(String template) {
        return statements.computeIfAbsent(template, this::fill);
    }

    /** The statement of a template that frees a lock: where the database can, it tells waiters. */
    public String releasing(String template) {
        return releases.computeIfAbsent(template, update -> fill(dialect.releasing(update)));
    }

    private String fill(String template) {
        return PIECE.matcher(template).replaceAll(piece -> {
            String text = pieces.get(piece.group(1));
            if (text == null) {
                throw new IllegalArgumentException("no piece of SQL is called " + piece.group());
            }
            return Matcher.quoteReplacement(fill(text));
        });
    }
}
