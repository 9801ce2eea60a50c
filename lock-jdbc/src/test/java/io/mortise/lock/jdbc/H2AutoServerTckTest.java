// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.Variant;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that several JVMs share through the first of them. Opened without the least lease of such URLs, which
 * is for a serving JVM that is killed and would make the suite long; here the test's own JVM serves.
 */
@Variant(of = H2ServerTckTest.class)
class H2AutoServerTckTest extends JdbcTck {
    @TempDir
    static Path folder;

    static Connection host;

    /** Whoever opens the file first serves it until it closes it; a frozen server freezes everybody. */
    @BeforeAll
    static void serve() throws SQLException {
        host = DriverManager.getConnection(url());
    }

    @AfterAll
    static void stop() throws SQLException {
        host.close();
    }

    private static String url() {
        return "jdbc:h2:file:" + folder.resolve("locks") + ";AUTO_SERVER=TRUE;WRITE_DELAY=0";
    }

    @Override
    public String store() {
        return url();
    }

    @Override
    public LockBackend open(String store) {
        Connections connections =
                new CachedConnections(() -> DriverManager.getConnection(store), TableSettings.DEFAULT);
        return JdbcBackend.connect(connections, TableSettings.DEFAULT, Optional.empty(), "");
    }
}
