// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Opens a connection that nobody else uses. */
@FunctionalInterface
public interface ConnectionOpener {
    Connection open() throws SQLException;

    /** Tells what a connection leads to that is opened now from what had its name before, where that may change; else empty. */
    default Optional<Object> database() {
        return Optional.empty();
    }
}
