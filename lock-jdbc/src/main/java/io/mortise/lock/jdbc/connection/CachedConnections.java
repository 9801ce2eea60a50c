// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.jdbc.sql.HandleFactory;
import io.mortise.lock.jdbc.sql.Schema;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.jdbc.sql.TableSql;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Keeps the backend's own connections open between calls, at most one for each call that runs at the same time. When one
 * fails, all idle ones are closed, because the server that they lead to may be gone.
 */
public final class CachedConnections implements Connections {
    private static final Logger LOG = System.getLogger(CachedConnections.class.getName());

    private record Kept(Session session, Dialect dialect, Optional<Object> database) {}

    private final ConnectionOpener opener;
    private final TableSettings settings;
    private final HandleFactory handles = new HandleFactory();
    private final ConcurrentLinkedDeque<Kept> idle = new ConcurrentLinkedDeque<>();

    /** The database whose tables were there. */
    private volatile Optional<Object> known = Optional.empty();

    private volatile boolean closed;

    /** Opens none yet. The tables of these settings are made once more where the database has been replaced. */
    public CachedConnections(ConnectionOpener opener, TableSettings settings) {
        this.opener = opener;
        this.settings = settings;
    }

    @Override
    public <T> T with(Session.Work<T> work) throws SQLException {
        Optional<Object> database = opener.database();
        Kept kept = idle.pollFirst();
        if (kept != null && !kept.database.equals(database)) {
            giveBack(kept, false);
            kept = null;
        }
        if (kept == null) {
            kept = open(database);
        }
        boolean usable = false;
        try {
            T answer = work.on(kept.session);
            usable = true;
            return answer;
        } catch (RuntimeException | SQLException failure) {
            SQLException driver = SqlFailures.driverException(failure);
            usable = driver != null && kept.dialect.isInTheWay(driver);
            throw failure;
        } finally {
            giveBack(kept, usable);
        }
    }

    /** {@code database}: as it was before, so that one which is replaced meanwhile is noticed at the next call. */
    private Kept open(Optional<Object> database) throws SQLException {
        Connection connection = opener.open();
        try {
            Dialect dialect = Dialects.of(connection, settings.dialect());
            dialect.prepare(connection);
            Kept kept = new Kept(Session.keepingStatements(connection, handles), dialect, database);
            Optional<Object> before = known;
            if (before.isPresent() && !before.equals(database)) {
                Schema.open(kept.session, new TableSql(dialect, settings, connection));
            }
            known = database;
            return kept;
        } catch (RuntimeException | SQLException unfit) {
            close(connection);
            throw unfit;
        }
    }

    private void giveBack(Kept kept, boolean usable) {
        if (usable) {
            idle.addFirst(kept);
        } else {
            close(kept.session.connection());
        }
        if (!usable || closed) {
            closeIdle();
        }
    }

    private void closeIdle() {
        for (Kept kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            close(kept.session.connection());
        }
    }

    /** A driver may fail to take leave of a server that is gone. */
    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (RuntimeException | SQLException gone) {
            LOG.log(Level.DEBUG, "a connection is not closed properly", gone);
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }
}
