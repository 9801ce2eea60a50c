// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in a relational database.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code jdbc:} backend
 */
module io.mortise.lock.jdbc {
    requires transitive io.mortise.lock;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires org.jdbi.v3.core;
    requires io.leangen.geantyref; // what jdbi needs, an automatic module that cannot ask for it
    requires org.slf4j; // the same
    requires static org.postgresql.jdbc; // its notifications are no part of JDBC

    exports io.mortise.lock.jdbc;

    opens io.mortise.lock.jdbc.notification to
            org.postgresql.jdbc; // which makes sockets by the name of their factory

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.jdbc.JdbcBackendProvider;
}
