// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Connections of our own, at most one for each call that runs at once, kept open between calls. When one fails, all that
 * are idle are closed: they came from the same server before it went.
 */
final class KeptConnections implements Connections {
    /** Opens a connection that nobody else uses. */
    @FunctionalInterface
    interface Opener {
        Connection open() throws SQLException;
    }

    private final Opener opener;
    private final Optional<Dialect> chosen;

    private record Kept(Handle handle, Dialect dialect) {}

    private final ConcurrentLinkedDeque<Kept> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    /**
     * Opens none yet.
     *
     * @param chosen the dialect to use, whatever the database calls itself
     */
    KeptConnections(Opener opener, Optional<Dialect> chosen) {
        this.opener = opener;
        this.chosen = chosen;
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        Kept kept = idle.pollFirst();
        if (kept == null) {
            kept = open();
        }
        boolean usable = false;
        try {
            T answer = work.run(kept.handle);
            usable = true;
            return answer;
        } catch (RuntimeException | SQLException failure) {
            SQLException driver = Failures.driverException(failure);
            usable = driver != null && kept.dialect.isInTheWay(driver);
            throw failure;
        } finally {
            giveBack(kept, usable);
        }
    }

    private Kept open() throws SQLException {
        Connection connection = opener.open();
        try {
            Dialect dialect = Dialects.of(connection, chosen);
            dialect.prepare(connection);
            return new Kept(Jdbi.create(() -> connection).open(), dialect);
        } catch (RuntimeException | SQLException unfit) {
            connection.close();
            throw unfit;
        }
    }

    private void giveBack(Kept kept, boolean usable) {
        if (usable) {
            idle.addFirst(kept);
        } else {
            kept.handle.close();
        }
        if (!usable || closed) {
            closeIdle();
        }
    }

    private void closeIdle() {
        for (Kept kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            kept.handle.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }
}
