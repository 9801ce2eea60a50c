// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * Protects rows of the application from writes of stale holders: a column beside the data keeps the greatest fencing
 * token that has written the row, and a write with a lower token is refused, because its holder has lost the lock.
 * The data may be in another database than the locks, which may be in any store that has tokens. Immutable, thread-safe.
 *
 * <p>The column is a 64-bit integer and may be null. Its values must never be lowered, nor its row be made again while a
 * holder may still write it.
 */
public final class JdbcFencingGuard {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)?");

    private final String raise;
    private final String look;

    private JdbcFencingGuard(String table, String key, String token) {
        raise = "update " + table + " set " + token + " = ? where " + key + " = ? and (" + token + " is null or "
                + token + " <= ?)";
        look = "select 1 from " + table + " where " + key + " = ? and " + token + " = ?";
    }

    /**
     * Names the column. Names stand in SQL as they are, so they are letters, digits and underscores.
     *
     * @param table the application's table, perhaps with its schema and a dot
     * @param key the column that identifies a row
     * @param token the column for tokens
     * @return the guard of that table's rows
     * @throws LockConfigurationException if one of them is another kind of name
     */
    public static JdbcFencingGuard of(String table, String key, String token) {
        for (String name : new String[] {table, key, token}) {
            if (!NAME.matcher(name).matches()) {
                throw new LockConfigurationException(
                        "'" + name + "' is not usable as a name: letters, digits and underscores");
            }
        }
        return new JdbcFencingGuard(table, key, token);
    }

    /**
     * Admits the holder of a token to a row, unless a later holder has been there. The row stays locked until the
     * transaction ends, so what the transaction writes to it afterwards is guarded. A repeated or equal token is admitted.
     *
     * @param transaction a connection to the application's database, with autocommit off
     * @param row the value of the key
     * @param token the holder's {@link io.mortise.lock.Lease#fencingToken()}
     * @return true if the holder may write; false if a later holder has, or there is no such row: roll the transaction back
     * @throws IllegalStateException if the connection commits each statement
     * @throws SQLException if the database fails
     */
    public boolean admit(Connection transaction, Object row, long token) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new IllegalStateException("the connection commits each statement, so others come between the check"
                    + " and the write; call setAutoCommit(false) first");
        }
        try (PreparedStatement update = transaction.prepareStatement(raise)) {
            update.setLong(1, token);
            update.setObject(2, row);
            update.setLong(3, token);
            return update.executeUpdate() > 0 || isThere(transaction, row, token);
        }
    }

    /** Some drivers do not count a row whose new value is the old one. */
    private boolean isThere(Connection transaction, Object row, long token) throws SQLException {
        try (PreparedStatement query = transaction.prepareStatement(look)) {
            query.setObject(1, row);
            query.setLong(2, token);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next();
            }
        }
    }
}
