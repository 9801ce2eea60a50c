// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.Lease;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Schema;
import io.mortise.lock.jdbc.sql.TablePlace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Lets an application's transaction commit only if the lease is still held; the data must be in the same database as the
 * locks. A holder that was paused past its lease cannot overwrite the work of the next holder. Immutable, thread-safe.
 *
 * <p>The check locks the record of the last grant until the transaction ends. The lock is granted to nobody before that,
 * whatever becomes of the lease: a renewal goes on beside it, and a release inside the transaction returns at once. Waiters
 * count the lock as held meanwhile, so a guarded transaction should be short.
 */
public final class TransactionGuard {
    private final String table;
    private final Optional<Dialect> dialect;

    private TransactionGuard(String table, Optional<Dialect> dialect) {
        this.table = table;
        this.dialect = dialect;
    }

    /**
     * A guard for locks in the default table, {@code mortise_locks}.
     *
     * @return the guard
     */
    public static TransactionGuard ofDefaultTable() {
        return ofTable(Schema.DEFAULT_TABLE);
    }

    /**
     * A guard for locks in a table. If the name has no schema, each check looks for the schema that has such a table, and
     * refuses if several have one: the transaction's own user and settings do not decide. (In MariaDB and SQLite, the table of
     * the connection's own database counts.)
     *
     * @param table the table that the lock client uses, perhaps after a schema and a dot
     * @return the guard
     * @throws io.mortise.lock.LockConfigurationException if it is not a table name
     */
    public static TransactionGuard ofTable(String table) {
        return new TransactionGuard(TablePlace.checkedName(table), Optional.empty());
    }

    /**
     * The same guard for a database that has another product name but the same SQL.
     *
     * @param product as in {@link JdbcBackendBuilder#dialect}
     * @return a guard with that dialect
     * @throws io.mortise.lock.LockConfigurationException if there is no such dialect
     */
    public TransactionGuard withDialect(String product) {
        return new TransactionGuard(table, Optional.of(Dialects.named(product)));
    }

    /**
     * Makes sure that nobody else has been granted the lock since this lease was, and that nobody is until the transaction
     * ends. To be called within the transaction before its writes, and after the lock was acquired: a transaction that had
     * begun to read earlier may have read what an earlier holder was about to change. Blocks while another client is being
     * granted the lock. The lease is not handed over inside its client any more.
     *
     * @param transaction a connection to the database of the locks, with autocommit off
     * @param lease what the transaction needs
     * @throws LockLostException if the lease was lost, or another was granted the lock since; roll the transaction back
     * @throws LockConfigurationException if the database has such tables in several schemas and this guard names none
     * @throws IllegalStateException if the lease was released, or the connection commits each statement
     * @throws SQLException if the database fails; where it is for a concurrent change, the lock was granted to another, or
     *     the transaction had begun to read before the lock was acquired
     */
    public void ensureHeld(Connection transaction, Lease lease) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new IllegalStateException("the connection commits each statement, so a check ends before the write"
                    + " that needs it; call setAutoCommit(false) first");
        }
        lease.forbidHandOver();
        Dialect known = Dialects.of(transaction, dialect);
        TablePlace place = TablePlace.existing(transaction, known, table);
        String sql = known.guard().replace("{grants}", place.grants()).replace("{table}", place.locks());
        try (PreparedStatement check = transaction.prepareStatement(sql)) {
            check.setString(1, LockKey.of(lease.lockName()).key());
            check.setLong(2, lease.fencingToken());
            if (!answersARow(check)) {
                throw new LockLostException(
                        lease.lockName(),
                        new Loss(LossCause.TAKEN_OVER, "the database does not know it as the holder any more"));
            }
        }
    }

    private static boolean answersARow(PreparedStatement check) throws SQLException {
        if (!check.execute()) {
            return check.getUpdateCount() > 0;
        }
        try (ResultSet rows = check.getResultSet()) {
            return rows.next();
        }
    }
}
