// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks in a relational database. */
module io.mortise.lock.jdbc {
    requires transitive io.mortise.lock;
    requires transitive java.sql;
    requires static org.jspecify;
    requires org.jdbi.v3.core;
    requires static com.zaxxer.hikari;
}
