// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Connections of our own, at most one for each call that runs at once, kept open between calls. One that failed is
 * closed.
 */
final class KeptConnections implements Connections {
    /** Opens a connection that nobody else uses. */
    @FunctionalInterface
    interface Opener {
        Connection open() throws SQLException;
    }

    private final Opener opener;
    private final ConcurrentLinkedDeque<Handle> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    KeptConnections(Opener opener) {
        this.opener = opener;
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        Handle handle = idle.pollFirst();
        if (handle == null) {
            handle = open();
        }
        boolean usable = false;
        try {
            T answer = work.run(handle);
            usable = true;
            return answer;
        } catch (RuntimeException | SQLException failure) {
            SQLException driver = Failures.driverException(failure);
            usable = driver != null && Dialect.of(handle.getConnection()).isInTheWay(driver);
            throw failure;
        } finally {
            giveBack(handle, usable);
        }
    }

    private Handle open() throws SQLException {
        Connection connection = opener.open();
        try {
            Dialect.of(connection).prepare(connection);
            return Jdbi.create(() -> connection).open();
        } catch (RuntimeException | SQLException unfit) {
            connection.close();
            throw unfit;
        }
    }

    private void giveBack(Handle handle, boolean usable) {
        if (usable) {
            idle.addFirst(handle);
        }
        if (!usable || closed) {
            if (!usable || idle.remove(handle)) {
                handle.close();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Handle handle = idle.pollFirst(); handle != null; handle = idle.pollFirst()) {
            handle.close();
        }
    }
}
