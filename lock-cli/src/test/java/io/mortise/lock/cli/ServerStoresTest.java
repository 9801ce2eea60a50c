// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command on servers. */
class ServerStoresTest {
    private static PostgresServer postgres;
    private static MariaDbServer mariaDb;
    private static ZooKeeperServer zooKeeper;
    private static RedisServer redis;
    private static MemcachedServer memcached;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServers() {
        postgres = PostgresServer.start();
        mariaDb = MariaDbServer.start();
        zooKeeper = ZooKeeperServer.start();
        redis = RedisServer.start();
        memcached = MemcachedServer.start();
    }

    @AfterAll
    static void stopServers() {
        postgres.close();
        mariaDb.close();
        zooKeeper.close();
        redis.close();
        memcached.close();
    }

    static Stream<String> urls() {
        return Stream.of(postgres.url(), mariaDb.url(), zooKeeper.url());
    }

    /** The options for each store that keeps a lock whose holder has gone; the default store is a file. */
    static Stream<List<String>> keepers() {
        return Stream.concat(
                Stream.of(List.of()),
                Stream.of(postgres.url(), mariaDb.url(), redis.url(), memcached.url())
                        .map(url -> List.of("--store", url)));
    }

    static Stream<List<String>> stores() {
        return Stream.concat(keepers(), Stream.of(List.of("--store", zooKeeper.url())));
    }

    private Mortise start(String... arguments) {
        return Mortise.start(directory, arguments);
    }

    private Mortise run(List<String> options, String... more) {
        List<String> line = new ArrayList<>(List.of("run"));
        line.addAll(options);
        line.addAll(List.of(more));
        return start(line.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("stores")
    @DisplayName("a run without trouble writes nothing but what its command writes: cron would mail it")
    void silence(List<String> store) {
        try (Mortise mortise = run(store, "silent", "--", "echo", "done")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            assertThat(mortise.out()).isEqualTo("done\n");
            assertThat(mortise.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("keepers")
    @DisplayName("a success is found by the next run on every store that keeps a lock whose holder has gone")
    void skip(List<String> store) {
        try (Mortise first = run(store, "--unless-run-since", "1h", "skipped", "--", "true")) {
            assertThat(first.exitCode()).as(first.err()).isZero();
            assertThat(first.err()).isEmpty();
        }
        try (Mortise second = run(store, "--unless-run-since", "1h", "skipped", "--", "touch", "ran")) {
            assertThat(second.exitCode()).as(second.err()).isZero();
            assertThat(second.err()).startsWith("mortise: skipped: lock 'skipped' was run with success ");
            assertThat(directory.resolve("ran")).doesNotExist();
        }
        try (Mortise without = run(store, "--at-least", "1h", "skipped", "--", "touch", "without")) {
            assertThat(without.exitCode()).as(without.err()).isZero();
            assertThat(directory.resolve("without")).exists();
        }
        try (Mortise kept = run(store, "--no-wait", "skipped", "--", "true")) {
            assertThat(kept.exitCode()).as(kept.err()).isEqualTo(75);
        }
    }

    @Test
    @DisplayName("64 where no lock outlives its holder, for the options that need it")
    void nothingIsKept() {
        for (String option : List.of("--unless-run-since", "--at-least", "--lock-delay")) {
            try (Mortise mortise =
                    start("run", "--store", zooKeeper.url(), option, "1h", "job", "--", "touch", "ran")) {
                assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
                assertThat(mortise.err()).hasLineCount(1);
            }
        }
        assertThat(directory.resolve("ran")).doesNotExist();
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
            try (Mortise list = start("ls", "--store", url, "job");
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
