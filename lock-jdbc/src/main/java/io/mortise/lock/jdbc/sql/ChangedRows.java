// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.jdbi.v3.core.statement.Update;

/**
 * Tells whether an update changed a row, even if a dialect wraps the update into a query that returns rows instead of
 * a count.
 */
public final class ChangedRows {
    private ChangedRows() {}

    /** Whether it changed any row: by its count, or by the rows of its answer. */
    public static boolean any(Update update) {
        return update.execute((statement, context) -> {
            PreparedStatement executed = statement.get();
            try (ResultSet rows = executed.getResultSet()) {
                return rows == null ? executed.getUpdateCount() > 0 : rows.next();
            } finally {
                context.close();
            }
        });
    }
}
