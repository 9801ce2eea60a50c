// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.spi.ClaimRequest;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Acquires a lock by one statement that inserts or takes the row, records the grant and returns its token, or returns
 * no row.
 */
public final class SingleStatementAcquire implements AcquireStrategy {
    private final String sql;
    private final boolean watches;

    SingleStatementAcquire(String sql) {
        this.sql = sql;
        this.watches = sql.contains(":watchedOwner");
    }

    @Override
    public Optional<Long> acquire(Handle handle, Try attempt) {
        ClaimRequest request = attempt.request();
        Query query = handle.createQuery(sql)
                .bind("key", attempt.key().key())
                .bind("name", attempt.key().text())
                .bind("owner", request.owner())
                .bind("label", AsciiText.encode(request.label()))
                .bind("floor", request.tokenFloor())
                .bind("tokens", request.tokenCount())
                .bind("lease", attempt.leaseMicros());
        if (watches) {
            query.bind(
                            "watchedOwner",
                            attempt.watched().map(ObservedHolder::owner).orElse(null))
                    .bind(
                            "watchedVersion",
                            attempt.watched().map(ObservedHolder::version).orElse(-1L));
        }
        return query.map((row, context) -> row.getLong(1)).findOne();
    }
}
