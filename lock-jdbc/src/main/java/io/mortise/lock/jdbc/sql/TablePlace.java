// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the tables of the locks are: a schema and a name, spelled as the database spells them. Found once by a connection,
 * then named in full in every statement, because the next connection may look for plain names elsewhere. Immutable.
 *
 * @param schema the schema; in MariaDB the database, in SQLite the name that the file is attached by; empty where every
 *     connection finds the same
 * @param table the table of the locks
 * @param grantsTable the table of their grants
 * @param queueTable the table of those who wait for them, where there is one
 * @param quote what stands around names in SQL
 * @param isChosen whether the schema was named by whoever set up the client
 */
public record TablePlace(
        String schema, String table, String grantsTable, String queueTable, char quote, boolean isChosen) {
    /** What the name of the table of grants ends with. */
    private static final String GRANTS = "_grants";

    /** What the name of the table of waiters ends with. */
    private static final String QUEUE = "_queue";

    /** The longest name must still fit into 63 characters, the least that any of the databases allows. */
    private static final Pattern NAME =
            Pattern.compile("(?:(?:\"([^\"]{1,63})\"|([A-Za-z_]\\w{0,62}))\\.)?([A-Za-z_]\\w{0,55})");

    /** The others have a meaning in SQL, or in the templates of statements, even within quotes. */
    private static final Pattern USABLE_SCHEMA = Pattern.compile("[^\\p{Cntrl}\"`'{}<>:?\\\\]+");

    /** A name as people write it, which SQL can take as it is. */
    public static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new LockConfigurationException("the table name '" + name
                    + "' is not usable: letters, digits and underscores, at most 56, perhaps after a schema and a dot");
        }
        return name;
    }

    /**
     * Finds the table where it is or will be made.
     *
     * @param name a {@link #checkedName}
     * @throws LockConfigurationException if the name has no schema and the database has such tables in several, or in another
     *     than the connection's
     */
    static TablePlace of(Connection connection, Dialect dialect, String name) throws SQLException {
        return find(connection, dialect, name, false);
    }

    /**
     * Finds the table of somebody else's connection, which is to be that of the lock clients.
     *
     * @param name a {@link #checkedName}
     * @throws LockConfigurationException if the name has no schema and the database has such tables in several
     */
    public static TablePlace existing(Connection connection, Dialect dialect, String name) throws SQLException {
        return find(connection, dialect, name, true);
    }

    private static TablePlace find(Connection connection, Dialect dialect, String name, boolean anywhere)
            throws SQLException {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a checked name: " + name);
        }
        String table = dialect.stored(parts.group(3), connection);
        TablePlace plain = new TablePlace(
                "",
                table,
                dialect.stored(parts.group(3) + GRANTS, connection),
                dialect.stored(parts.group(3) + QUEUE, connection),
                dialect.quote(),
                false);
        if (parts.group(1) != null) {
            return plain.in(parts.group(1), true);
        }
        if (parts.group(2) != null) {
            return plain.in(dialect.stored(parts.group(2), connection), true);
        }
        if (anywhere && dialect.schemasWithTable().isEmpty()) {
            return plain;
        }
        List<String> schemas = schemasWith(connection, dialect, table);
        if (anywhere && schemas.size() == 1) {
            return plain.in(schemas.get(0), false);
        }
        TablePlace place = plain.in(home(connection, dialect, table), false);
        place.ensureNowhereElse(schemas);
        return place;
    }

    private TablePlace in(String itsSchema, boolean chosen) {
        if (!USABLE_SCHEMA.matcher(itsSchema).matches()) {
            throw new LockConfigurationException("the name of the schema '" + itsSchema
                    + "' is not usable; name another in mortise.table, as in locks.mortise_locks");
        }
        return new TablePlace(itsSchema, table, grantsTable, queueTable, quote, chosen);
    }

    private static String home(Connection connection, Dialect dialect, String table) throws SQLException {
        List<@Nullable String> home = names(connection, dialect.homeSchema(), table);
        String schema = home.isEmpty() ? null : home.get(0);
        if (schema == null) {
            throw new LockConfigurationException("the connection to the " + dialect.product()
                    + " database has no schema or database of its own; name one in the URL, or in mortise.table, as in"
                    + " locks.mortise_locks");
        }
        return schema;
    }

    private static List<String> schemasWith(Connection connection, Dialect dialect, String table) throws SQLException {
        Optional<String> query = dialect.schemasWithTable();
        List<String> schemas = new ArrayList<>();
        if (query.isPresent()) {
            for (@Nullable String schema : names(connection, query.get(), table)) {
                if (schema != null) {
                    schemas.add(schema);
                }
            }
        }
        return schemas;
    }

    private static List<@Nullable String> names(Connection connection, String sql, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            if (sql.indexOf('?') >= 0) {
                query.setString(1, table);
            }
            try (ResultSet rows = query.executeQuery()) {
                List<@Nullable String> names = new ArrayList<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        }
    }

    /** Once more after the table was made: of two clients that make theirs at once, one sees the other's. */
    void ensureNowhereElse(Connection connection, Dialect dialect) throws SQLException {
        if (!isChosen) {
            ensureNowhereElse(schemasWith(connection, dialect, table));
        }
    }

    private void ensureNowhereElse(List<String> schemas) {
        for (String other : schemas) {
            if (!other.equals(schema)) {
                throw new LockConfigurationException("the tables " + this + " and " + other + "." + table
                        + " in one database would be two stores with the same locks, and which of them a client uses"
                        + " depends on its user; write the right one into mortise.table, or into the guard, with its"
                        + " schema: " + written(schema) + " or " + written(other));
            }
        }
    }

    private String written(String itsSchema) {
        boolean plain = itsSchema.matches("[a-z_]\\w*") || itsSchema.matches("[A-Z_][A-Z0-9_]*");
        return (plain ? itsSchema : '"' + itsSchema + '"') + "." + table;
    }

    /** The table of the locks in SQL. */
    public String locks() {
        return inSchema(table);
    }

    /** The table of their grants in SQL. */
    public String grants() {
        return inSchema(grantsTable);
    }

    /** The table of those who wait for them in SQL. */
    public String queue() {
        return inSchema(queueTable);
    }

    private String inSchema(String name) {
        String quoted = quote + name + quote;
        return schema.isEmpty() ? quoted : quote + schema + quote + "." + quoted;
    }

    /** For people. */
    @Override
    public String toString() {
        return schema.isEmpty() ? table : schema + "." + table;
    }
}
