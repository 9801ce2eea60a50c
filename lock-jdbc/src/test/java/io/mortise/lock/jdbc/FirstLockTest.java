// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To load jdbi takes a third of a short process, so one that takes a lock and ends does without. */
class FirstLockTest {
    @RegisterExtension
    static final TestDatabase POSTGRES = TestDatabase.fastPostgres();

    @RegisterExtension
    static final TestDatabase MARIADB = TestDatabase.fastMariaDb();

    @ParameterizedTest
    @ValueSource(strings = {"h2", "sqlite", "postgresql", "mariadb"})
    void itLoadsNoJdbi(String store, @TempDir Path directory) throws Exception {
        String url =
                switch (store) {
                    case "postgresql" -> POSTGRES.url();
                    case "mariadb" -> MARIADB.url();
                    default -> "jdbc:" + store + ":" + directory.resolve("locks");
                };
        assertThat(FirstLock.classes(url, directory.resolve("classes.log")))
                .contains("io.mortise.lock.jdbc.sql.Session", "io.mortise.lock.jdbc.table.JdbcClaim")
                .doesNotContain(Jdbi.class.getName(), Handle.class.getName());
    }
}
