// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.Objects;
import javax.sql.DataSource;

/** Settings of a {@link JdbcBackend} over a data source of the application. Not thread-safe. */
public final class JdbcBackendBuilder {
    private final DataSource dataSource;
    private String table = Schema.DEFAULT_TABLE;
    private boolean createSchema = true;

    JdbcBackendBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * The table of the locks. Clients with different tables do not see each other's locks.
     *
     * @param name letters, digits and underscores, perhaps after a schema and a dot; unless set, {@code mortise_locks}
     * @return this
     * @throws io.mortise.lock.LockConfigurationException if the name is another
     */
    public JdbcBackendBuilder table(String name) {
        table = Schema.checkedName(name);
        return this;
    }

    /**
     * Whether to make the table when it is missing. Its SQL is in the jar: {@code io/mortise/lock/jdbc/schema}.
     *
     * @param create unless set, true
     * @return this
     */
    public JdbcBackendBuilder createSchema(boolean create) {
        createSchema = create;
        return this;
    }

    /**
     * Connects.
     *
     * @return a new backend
     * @throws io.mortise.lock.LockConfigurationException if the database, its settings or the table are not fit for use
     * @throws io.mortise.lock.spi.BackendException if the database did not answer within 15 seconds
     */
    public JdbcBackend build() {
        return JdbcBackend.connect(new BorrowedConnections(dataSource), table, createSchema, "");
    }
}
