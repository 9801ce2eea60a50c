// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command on servers. */
class ServerStoresTest {
    private static PostgresServer postgres;
    private static MariaDbServer mariaDb;
    private static ZooKeeperServer zooKeeper;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServers() {
        postgres = PostgresServer.start();
        mariaDb = MariaDbServer.start();
        zooKeeper = ZooKeeperServer.start();
    }

    @AfterAll
    static void stopServers() {
        postgres.close();
        mariaDb.close();
        zooKeeper.close();
    }

    static Stream<String> urls() {
        return Stream.of(postgres.url(), mariaDb.url(), zooKeeper.url());
    }

    private Mortise start(String... arguments) {
        return Mortise.start(directory, arguments);
    }

    @ParameterizedTest
    @MethodSource("urls")
    @DisplayName("no coupon is sold twice")
    void demo(String url) {
        try (Mortise demo = start("demo", "coupons", "--json", "--buyers", "30", "--coupons", "15", "--store", url)) {
            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(demo.out()).startsWith("{\"sold\":15,\"oversold\":0,\"lost\":0,\"processes\":3,");
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    @DisplayName("ls and show print the holder, and revoke ends its command")
    void holder(String url) {
        String script = "echo $$ > main; while :; do sleep 0.05; done";
        try (Mortise holder = start("run", "--store", url, "--lease", "12s", "job", "--", "sh", "-c", script)) {
            Processes.number(directory.resolve("main"));
            try (Mortise list = start("ls", "--store", url);
                    Mortise show = start("show", "--store", url, "job");
                    Mortise second = start("run", "--store", url, "--no-wait", "job", "--", "true")) {
                assertThat(list.exitCode()).as(list.err()).isZero();
                assertThat(list.out()).startsWith("job  held by ").hasLineCount(1);
                assertThat(show.exitCode()).as(show.err()).isZero();
                assertThat(show.out()).contains("held by ");
                assertThat(second.exitCode()).as(second.err()).isEqualTo(75);
            }
            try (Mortise revoke = start("revoke", "--store", url, "job", "--reason", "maintenance")) {
                assertThat(revoke.exitCode()).as(revoke.err()).isZero();
            }
            assertThat(holder.exitCode()).isEqualTo(76);
            assertThat(holder.err()).contains("maintenance");
        }
    }
}
