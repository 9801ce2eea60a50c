// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.conventions.Jvm.Outcome;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything starts, in JVMs of its own: from the class path, the module path, the jar with everything, the archive. */
class StartTest {
    private static final Path SOURCES = SourceTree.root().resolve("lock-conventions/src/test/module");
    private static final Path COMMAND = SourceTree.root().resolve("lock-cli/target/mortise.jar");

    @TempDir
    private static Path application;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compileAnApplication() {
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "--release",
                        "17",
                        "-p",
                        ClassPath.ofCompiler(),
                        "-d",
                        application.toString(),
                        SOURCES.resolve("module-info.java").toString(),
                        SOURCES.resolve("smoke/Main.java").toString());

        assertThat(status).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.mortise.lock.conventions.Jvm#all")
    void backendsAreFoundOnTheClassPath(Jvm jvm) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            lockInEachStore(
                    jvm,
                    List.of(server.url()),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    application + ":" + ClassPath.ofApplication(),
                    "smoke.Main");
        }
    }

    @ParameterizedTest
    @MethodSource("io.mortise.lock.conventions.Jvm#all")
    void backendsAreFoundOnTheModulePath(Jvm jvm) throws Exception {
        lockInEachStore(
                jvm,
                List.of(),
                "--enable-native-access=org.xerial.sqlitejdbc",
                "-p",
                application + ":" + ClassPath.ofModularApplication(),
                "-m",
                "smoke/smoke.Main");
    }

    private void lockInEachStore(Jvm jvm, List<String> more, String... start) throws Exception {
        try (RedisServer redis = RedisServer.start();
                MemcachedServer memcached = MemcachedServer.start("-M")) {
            List<String> stores = new ArrayList<>(more);
            stores.addAll(List.of(
                    "memory:smoke",
                    "jdbc:h2:mem:smoke",
                    "jdbc:sqlite:" + directory.resolve("smoke.db"),
                    redis.url(),
                    memcached.url()));
            List<String> arguments = new ArrayList<>(List.of(start));
            arguments.addAll(stores);
            Outcome outcome = jvm.java(directory, arguments.toArray(String[]::new));

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.out().lines()).hasSameSizeAs(stores).allMatch(line -> line.matches("\\d{10,}|no token"));
            assertThat(outcome.status()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.mortise.lock.conventions.Jvm#all")
    void theCommandIsOneJar(Jvm jvm) throws Exception {
        Outcome help = jvm.java(directory, "-jar", COMMAND.toString(), "--help");
        Outcome run = jvm.java(
                directory,
                "-jar",
                COMMAND.toString(),
                "run",
                "--store",
                "jdbc:sqlite:" + directory.resolve("jar.db"),
                "job",
                "--",
                "sh",
                "-c",
                "echo $MORTISE_LOCK $MORTISE_FENCING_TOKEN");
        Outcome list = jvm.java(directory, "-jar", COMMAND.toString(), "ls", "--store", "jdbc:h2:mem:jar");

        assertThat(help).isEqualTo(new Outcome(0, help.out(), ""));
        assertThat(help.out()).contains("run", "ls", "show", "revoke", "tck", "check", "demo");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).matches("job \\d{10,}\n");
        assertThat(run.status()).isZero();
        assertThat(list).extracting(Outcome::status).isEqualTo(0);
    }

    @ParameterizedTest
    @MethodSource("io.mortise.lock.conventions.Jvm#all")
    void theArchiveRunsWhereverItIsUnpacked(Jvm jvm) throws Exception {
        Outcome unpacked = jvm.run(directory, List.of("tar", "-xzf", archive().toString()));
        Path home = child(directory, Files::isDirectory);
        Path link = Files.createSymbolicLink(directory.resolve("mortise"), home.resolve("bin/mortise"));
        Outcome version = jvm.run(directory, List.of(link.toString(), "--version"));

        assertThat(unpacked.status()).isZero();
        assertThat(home).isDirectoryContaining("glob:**/LICENSE").isDirectoryContaining("glob:**/README");
        assertThat(version).isEqualTo(new Outcome(0, version.out(), ""));
        assertThat(version.out()).startsWith("mortise ");
    }

    private static Path archive() throws IOException {
        return child(SourceTree.root().resolve("lock-cli/target"), file -> file.toString()
                .endsWith(".tar.gz"));
    }

    /** The one child of a folder that is wanted. */
    static Path child(Path parent, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(wanted).findFirst().orElseThrow();
        }
    }
}
