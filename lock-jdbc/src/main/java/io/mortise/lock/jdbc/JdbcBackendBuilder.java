// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.connection.DataSourceConnections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/** Builds a {@link JdbcBackend} over a data source of the application. Not thread-safe. */
public final class JdbcBackendBuilder {
    private final DataSource dataSource;
    private TableSettings settings = TableSettings.DEFAULT;
    private Optional<ConnectionOpener> listening = Optional.empty();

    JdbcBackendBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * The table of the locks. Clients with different tables do not see each other's locks. A name without a schema is the
     * table that the first connection finds, or makes; in PostgreSQL and H2, it is refused if another schema of the database
     * has a table of that name, too.
     *
     * @param name letters, digits and underscores, perhaps after a schema and a dot; the schema may be in double quotes, and is
     *     then taken as it is. Unless set, {@code mortise_locks}
     * @return this
     * @throws LockConfigurationException if the name is another
     */
    public JdbcBackendBuilder table(String name) {
        settings = settings.withTable(name);
        return this;
    }

    /**
     * Whether to make the table when it is missing. Its SQL is in the jar: {@code io/mortise/lock/jdbc/schema}.
     *
     * @param create unless set, true
     * @return this
     */
    public JdbcBackendBuilder createSchema(boolean create) {
        settings = settings.withCreateSchema(create);
        return this;
    }

    /**
     * Whether leases end without the database's clock: a waiter takes over only after it has itself watched the holder miss
     * its renewals for a whole lease. For databases whose clock is set while they run. All clients of a table must have the
     * same choice, which is stored in the table.
     *
     * @param free unless set, false: leases end by the database's clock
     * @return this
     */
    public JdbcBackendBuilder clockFree(boolean free) {
        settings = settings.withClockFree(free);
        return this;
    }

    /**
     * Has PostgreSQL notify waiters of releases, so that they need not poll. A connection is taken from this source and kept
     * while anybody waits; it must come from the server itself, or from a pooler that leaves it its session. Where the
     * database or the pooler cannot do so, waiters poll as without this.
     *
     * @param source gives that connection; perhaps the data source of the other calls, if it can spare one
     * @return this
     */
    public JdbcBackendBuilder notifications(DataSource source) {
        listening = Optional.of(source::getConnection);
        return this;
    }

    /**
     * The dialect, for a database that has another product name but the same SQL.
     *
     * @param product {@code SQLite}, {@code H2}, {@code PostgreSQL}, {@code MariaDB} or {@code MySQL}; unless set, what the
     *     driver tells
     * @return this
     * @throws LockConfigurationException if it is another
     */
    public JdbcBackendBuilder dialect(String product) {
        settings = settings.withDialect(product);
        return this;
    }

    /**
     * How long {@link #build()} may take.
     *
     * @param timeout positive; unless set, 15 seconds
     * @return this
     * @throws LockConfigurationException if it is not positive
     */
    public JdbcBackendBuilder connectTimeout(Duration timeout) {
        settings = settings.withConnectTimeout(timeout);
        return this;
    }

    /**
     * Connects.
     *
     * @return a new backend
     * @throws LockConfigurationException if the database, its settings or the table are not fit for use, or the database
     *     refuses this client
     * @throws BackendException if the database did not answer within the time to connect
     */
    public JdbcBackend build() {
        try {
            return JdbcBackend.connect(new DataSourceConnections(dataSource), settings, listening, "");
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(failure.getMessage()), failure);
            }
            throw failure;
        }
    }
}
