// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Opens a new connection to the database that nobody else uses. */
@FunctionalInterface
public interface ConnectionOpener {
    Connection open() throws SQLException;

    /** Identifies the database that a connection leads to if it is opened now; empty where that cannot change. */
    default Optional<Object> database() {
        return Optional.empty();
    }
}
