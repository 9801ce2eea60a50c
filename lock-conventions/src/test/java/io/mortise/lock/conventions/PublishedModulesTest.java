// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.conventions.Jvm.Outcome;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** New projects, built with nothing but the published modules and the lines of the README: they lock in every store. */
class PublishedModulesTest {
    private static final String MODULAR = "modular-project";
    private static final String ALL = "list-of-versions-project";
    private static final String CHARGED = "order with token \\d+\n";

    @TempDir
    private static Path directory;

    private static final Jvm JVM = new Jvm(Path.of(System.getProperty("java.home")));

    private static NewProjects projects;

    @BeforeAll
    static void buildProjects() throws Exception {
        projects = new NewProjects(directory);
        for (Readme.Store store : stores().toList()) {
            projects.addShop(
                    store.directory(),
                    store.dependencies().stream().map(Coordinates::dependency).collect(joining()));
        }
        projects.addModularShop(MODULAR, Readme.dependencies());
        projects.add(ALL, Readme.listOfVersions() + "<dependencies>" + withoutVersions() + "</dependencies>");

        Outcome outcome = projects.build(JVM);

        assertThat(outcome.status()).as(outcome.out() + outcome.err()).isZero();
    }

    static Stream<Readme.Store> stores() {
        return Readme.stores();
    }

    private static String withoutVersions() {
        return PublishedArtifactsTest.libraries()
                .map(module -> Coordinates.parse("io.mortise:" + module))
                .map(Coordinates::dependency)
                .map(dependency -> dependency.replaceAll("<version>.*</version>", ""))
                .collect(joining());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void theFirstExampleLocks(Readme.Store store) throws Exception {
        try (Server server = Server.of(store.scheme())) {
            Outcome outcome = projects.run(JVM, store.directory(), server.url());

            if (store.scheme().equals("memcached:")) {
                assertThat(outcome.err()).contains("UnsupportedOperationException", "the store has no fencing tokens");
                assertThat(outcome.status()).isEqualTo(1);
            } else {
                assertThat(outcome.out()).as(outcome.err()).matches(CHARGED);
                assertThat(outcome.status()).isZero();
            }
        }
    }

    @Test
    void aStoreWithoutTokensIsRefusedWhereTheyAreRequired() throws Exception {
        try (Server server = Server.of("memcached:")) {
            Outcome outcome = projects.run(JVM, "memcached-project", server.url() + "?mortise.require=FENCED");

            assertThat(outcome.err()).contains("LockConfigurationException", "FENCED");
            assertThat(outcome.status()).isEqualTo(1);
        }
    }

    @Test
    void theFirstExampleLocksAsAModule() throws Exception {
        Outcome outcome = projects.runModular(JVM, MODULAR, "jdbc:sqlite:" + directory.resolve("modular.db"));

        assertThat(outcome.out()).as(outcome.err()).matches(CHARGED);
    }

    @Test
    void theListOfVersionsHasThemAll() throws Exception {
        assertThat(projects.classPath(ALL))
                .contains(PublishedArtifactsTest.libraries().toList());
    }

    /**
     * A store that the example can use.
     *
     * @param url the store
     * @param end ends it
     */
    private record Server(String url, Runnable end) implements AutoCloseable {
        static Server of(String scheme) {
            return switch (scheme) {
                case "memory:" -> new Server("memory:shop", () -> {});
                case "jdbc:sqlite:" -> new Server("jdbc:sqlite:" + directory.resolve("locks.db"), () -> {});
                case "jdbc:h2:" -> new Server("jdbc:h2:mem:shop", () -> {});
                case "jdbc:postgresql:" -> {
                    PostgresServer server = PostgresServer.start();
                    yield new Server(server.url(), server::close);
                }
                case "jdbc:mariadb:" -> {
                    MariaDbServer server = MariaDbServer.start();
                    yield new Server(server.url(), server::close);
                }
                case "redis:" -> {
                    RedisServer server = RedisServer.start();
                    yield new Server(server.url(), server::close);
                }
                case "redlock:" -> ofThree(RedisServer.start(), RedisServer.start(), RedisServer.start());
                case "zookeeper:" -> {
                    ZooKeeperServer server = ZooKeeperServer.start();
                    yield new Server(server.url(), server::close);
                }
                case "etcd:" -> {
                    EtcdServer server = EtcdServer.start();
                    yield new Server(server.url(), server::close);
                }
                case "memcached:" -> {
                    MemcachedServer server = MemcachedServer.start();
                    yield new Server(server.url(), server::close);
                }
                default -> throw new AssertionError("the README has a store that no project here uses: " + scheme);
            };
        }

        private static Server ofThree(RedisServer... members) {
            String hosts = Stream.of(members)
                    .map(member -> member.url().replace("redis://", ""))
                    .collect(joining(","));
            return new Server("redlock://" + hosts + "?newQuorum=true", () -> Stream.of(members)
                    .forEach(RedisServer::close));
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
