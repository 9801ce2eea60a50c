// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Does all that clients do, with other versions of the drivers and of jdbi than the ones that the suite runs with. Maven copies these jars
 * to {@code target/versions}: pom.xml lists them.
 */
class VersionsTest {
    @TempDir
    static Path directory;

    private static void assertWorks(String jar, String url) {
        assertThat(ClientJvm.create()
                        .replacing(Path.of("target", "versions", jar).toAbsolutePath())
                        .run(url))
                .extracting(ClientJvm.Result::outcome)
                .containsExactly("works");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.1.214", "2.2.224", "2.3.232"})
    void h2(String version) {
        assertWorks("h2-" + version + ".jar", "jdbc:h2:file:" + directory.resolve("h2-" + version));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sqlite-jdbc-3.45.3.0.jar",
                "jdbi3-core-3.38.0.jar",
                "jdbi3-core-3.45.0.jar",
                "slf4j-api-1.7.36.jar"
            })
    void sqlite(String jar) {
        assertWorks(jar, "jdbc:sqlite:" + directory.resolve(jar + ".db"));
    }

    @Test
    void postgresql() {
        try (PostgresServer server = PostgresServer.start()) {
            assertWorks("postgresql-42.5.6.jar", server.url());
        }
    }

    @Test
    void mariaDb() {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertWorks("mariadb-java-client-2.7.13.jar", server.url());
            assertWorks("mariadb-java-client-3.0.11.jar", server.url());
            assertWorks("mariadb-java-client-4.0.0.jar", server.url() + "&sslMode=disable");
        }
    }
}
