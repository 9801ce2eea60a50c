// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Refusal;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.RegisterEntry;
import java.util.Optional;
import org.jdbi.v3.core.statement.Update;

/** Reads and writes the rows of the table that are no lock's and are never swept: one for each entry of the register. Stateless. */
public final class Register {
    private static final String READ =
            "select released, label, {standby} as standby from {table} where lock_key = :key";
    private static final String CREATE = """
            insert into {table}
            (lock_key, label, released, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
            select :key, :text, :version, 0, 0, 0, 0, 0, 0, 0 from (select 1 as one) o
            where not exists (select 1 from {table} where lock_key = :key)""";
    private static final String REPLACE = """
            {wait}update {table} set label = :text, released = :version, version = version + 1
            {from} where lock_key = :key and released = :expected""";

    private record Row(RegisterEntry entry, boolean ofStandby) {}

    private final TableSql sql;

    public Register(TableSql sql) {
        this.sql = sql;
    }

    /** A standby may not know yet what was written: it is not asked. */
    public Optional<RegisterEntry> read(Session session, String name) {
        Optional<Row> found = session.handle()
                .createQuery(sql.of(READ))
                .bind("key", key(name))
                .map((row, context) -> new Row(
                        new RegisterEntry(row.getString("released"), row.getString("label")),
                        row.getBoolean("standby")))
                .findOne();
        if (found.filter(Row::ofStandby).isPresent()) {
            throw BackendException.refused(Refusal.READ_ONLY.advice(), null);
        }
        return found.map(Row::entry);
    }

    public boolean write(Session session, String name, Optional<String> expected, RegisterEntry entry) {
        Update update = session.handle().createUpdate(sql.of(expected.isPresent() ? REPLACE : CREATE));
        expected.ifPresent(version -> update.bind("expected", version));
        return update.bind("key", key(name))
                        .bind("text", entry.text())
                        .bind("version", entry.version())
                        .execute()
                > 0;
    }

    private static String key(String name) {
        return LockKey.TABLE_ROW + RegisterEntry.checkName(name);
    }
}
