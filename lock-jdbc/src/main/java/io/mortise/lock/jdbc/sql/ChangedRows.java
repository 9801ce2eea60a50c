// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.jdbi.v3.core.statement.Update;

/** Updates that some databases wrap into a query, so as to do more for each changed row. */
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
