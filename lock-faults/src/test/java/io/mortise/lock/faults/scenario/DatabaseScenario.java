// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A database, in which an administrator runs statements beside the locks. */
abstract class DatabaseScenario extends Scenario {
    static final Promise FORGETS = new Promise(
            "the data are lost: all locks are forgotten, and a holder learns it at its next renewal", true, false);

    /** For an administrator. */
    abstract String administratorUrl();

    final void run(List<String> statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(administratorUrl());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    final Fault statements(String kind, List<String> cause, List<String> heal) {
        return Fault.of(kind, random -> {
            run(cause);
            return () -> run(heal);
        });
    }

    final Fault forgets() {
        return statements("all rows deleted", List.of("delete from mortise_locks where lock_key <> '~'"), List.of())
                .atMost(200)
                .with(FORGETS);
    }
}
