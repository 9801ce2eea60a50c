// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.conventions.Jvm.Outcome;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packages of the command that need no Java: a new user of each gets a command that works on every store. */
class PackagesTest {
    private static final Path PACKAGES =
            Path.of(System.getProperty("mortise.packages", "target/packages")).toAbsolutePath();

    private static final Jvm BUILDER = new Jvm(Path.of(System.getProperty("java.home")));

    /** All that a process of a new user has: no Java. */
    private static final List<String> BARE = List.of("/usr/bin/env", "-i", "PATH=/usr/bin:/bin");

    @TempDir
    private static Path directory;

    private static Path home;

    @BeforeAll
    static void make() throws Exception {
        Outcome made = BUILDER.run(
                directory,
                List.of(
                        "sh",
                        SourceTree.root()
                                .resolve("lock-cli/src/main/packages/packages.sh")
                                .toString(),
                        SourceTree.root().resolve("lock-cli/target/mortise.jar").toString(),
                        Poms.version(),
                        PACKAGES.toString()),
                1200);
        assertThat(made.status()).as(made.err()).isZero();
        assertThat(made.err()).isEmpty();
        assertThat(made.out().lines()).hasSize(3);
        Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
        shell("tar -xzf '" + one(".tar.gz") + "'", unpacked);
        home = unpacked.resolve(one(".tar.gz").getFileName().toString().replace(".tar.gz", ""));
    }

    private static Path one(String ending) throws IOException {
        return StartTest.child(PACKAGES, file -> file.toString().endsWith(ending));
    }

    private static String shell(String script, Path where) throws Exception {
        Outcome outcome = BUILDER.run(where, List.of("sh", "-euc", script), 300);
        assertThat(outcome.status()).as(outcome.err()).isZero();
        return outcome.out();
    }

    private static Outcome mortise(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(BARE);
        command.addAll(List.of("HOME=" + directory, home.resolve("bin/mortise").toString()));
        command.addAll(List.of(arguments));
        return BUILDER.run(directory, command, 60);
    }

    private static void runsAJob(String url, String token) throws Exception {
        Outcome run =
                mortise("run", "--store", url, "job", "--", "sh", "-c", "echo $MORTISE_LOCK $MORTISE_FENCING_TOKEN");
        Outcome list = mortise("ls", "--store", url);

        assertThat(run).extracting(Outcome::status, Outcome::err).containsExactly(0, "");
        assertThat(run.out()).matches("job" + token + "\n");
        assertThat(list.err()).isEqualTo(token.isEmpty() ? "mortise: this store cannot list its locks\n" : "");
    }

    @Test
    void theArchiveRunsJobsOnEveryStore() throws Exception {
        try (RedisServer redis = RedisServer.start();
                MemcachedServer memcached = MemcachedServer.start("-M");
                ZooKeeperServer zookeeper = ZooKeeperServer.start();
                PostgresServer postgres = PostgresServer.start();
                MariaDbServer mariadb = MariaDbServer.start()) {
            String tokens = " \\d+";
            runsAJob("memory:job", tokens);
            runsAJob("jdbc:sqlite:" + directory.resolve("locks.db"), tokens);
            runsAJob("jdbc:h2:" + directory.resolve("locks"), tokens);
            runsAJob(redis.url(), tokens);
            runsAJob(memcached.url(), "");
            runsAJob(zookeeper.url(), tokens);
            runsAJob(postgres.url(), tokens);
            runsAJob(mariadb.url(), tokens);
        }
    }

    @Test
    void theArchiveStartsMoreOfItself() throws Exception {
        Outcome demo = mortise(
                "demo",
                "coupons",
                "--store",
                "jdbc:sqlite:" + directory.resolve("demo.db"),
                "--coupons",
                "10",
                "--buyers",
                "20");

        assertThat(demo).extracting(Outcome::status, Outcome::err).containsExactly(0, "");
    }

    @Test
    void theArchiveRunsTheSuite() throws Exception {
        Outcome tck = mortise(
                "tck", "jdbc:sqlite:" + directory.resolve("tck.db"), "--cases", "m1_aKilledHoldersLockIsFreed,E3");

        assertThat(tck).extracting(Outcome::status, Outcome::err).containsExactly(0, "");
        assertThat(tck.out()).contains(" M1: ", " E3: ").endsWith(" passed, 0 failed, 0 skipped\n");
    }

    @Test
    void theArchiveLoadsItsClassesFromTheirArchive() throws Exception {
        String log = shell(
                String.join(" ", BARE) + " MORTISE_JAVA_OPTS=-Xlog:class+load '" + home.resolve("bin/mortise")
                        + "' run --store jdbc:sqlite:classes.db job -- true",
                directory);

        long fromArchive =
                log.lines().filter(line -> line.endsWith("shared objects file")).count();
        long fromImage = log.lines()
                .filter(line -> line.contains("source: jrt:/mortise"))
                .count();
        assertThat(fromArchive).isGreaterThan(2000);
        assertThat(fromImage).isLessThan(250);
    }

    @Test
    void theArchiveUnpacksNoNativeLibrary() throws Exception {
        String nowhere = "-Dorg.sqlite.tmpdir=" + directory.resolve("nowhere");
        String said = shell(
                String.join(" ", BARE) + " MORTISE_JAVA_OPTS=" + nowhere + " '" + home.resolve("bin/mortise")
                        + "' run --store jdbc:sqlite:library.db job -- echo done",
                directory);

        assertThat(said).isEqualTo("done\n");
    }

    @Test
    void theArchiveHasAManualPageACompletionAndTheLicences() {
        assertThat(home.resolve("share/man/man1/mortise.1")).content().contains(".SS mortise run\n");
        assertThat(home.resolve("share/bash-completion/completions/mortise"))
                .content()
                .contains("complete -F _complete_mortise");
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("legal/NOTICE")).exists();
        assertThat(home.resolve("runtime/legal/java.base/LICENSE")).exists();
    }

    @Test
    void theDebianPackageInstallsACommand() throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        String fields = shell("dpkg-deb --field '" + one(".deb") + "'", directory);
        String content = shell("dpkg-deb --contents '" + one(".deb") + "'", directory);
        shell("dpkg-deb --extract '" + one(".deb") + "' .", root);
        List<String> command = new ArrayList<>(BARE);
        command.addAll(List.of(root.resolve("usr/bin/mortise").toString(), "--version"));
        Outcome version = BUILDER.run(directory, command);

        assertThat(fields).contains("Package: mortise\n", "perl-base", "libc6 (>= 2.", "libstdc++6", "zlib1g");
        assertThat(content.lines()).allMatch(line -> line.matches("[dl-][rwx-]{9} root/root .*"));
        assertThat(content.lines()).noneMatch(line -> line.matches("[d-].{4}w.*|[d-].{7}w.*"));
        assertThat(version).isEqualTo(new Outcome(0, "mortise " + Poms.version() + "\n", ""));
        assertThat(root.resolve("usr/share/man/man1/mortise.1.gz")).exists();
        assertThat(root.resolve("usr/share/bash-completion/completions/mortise"))
                .exists();
    }

    @Test
    void theImageHasWhatItSaysAndRunsAJob() throws Exception {
        Path layout = Files.createDirectory(directory.resolve("image"));
        Path root = Files.createDirectory(directory.resolve("container"));
        shell("tar -xf '" + one(".oci.tar") + "'", layout);
        String manifest = blob(
                layout, digests(Files.readString(layout.resolve("index.json"))).get(0));
        List<String> blobs = digests(manifest);
        String configuration = blob(layout, blobs.get(0));
        List<String> layers = blobs.subList(1, blobs.size());

        assertThat(layers).hasSize(2);
        for (String layer : layers) {
            Path file = layout.resolve("blobs/sha256").resolve(layer);
            assertThat(shell("sha256sum < " + file, directory)).startsWith(layer);
            assertThat(digests(configuration))
                    .contains(shell("gunzip < " + file + " | sha256sum | cut -c -64", root)
                            .strip());
            shell("tar -xzf " + file, root);
        }
        assertThat(runIn(root)).isEqualTo("job\n");
        assertThat(configuration).contains("\"Entrypoint\":[\"/usr/bin/mortise\"]");
    }

    /** Runs a job inside, or if this user may not enter another root, starts the command with the libraries that are inside. */
    private static String runIn(Path root) throws Exception {
        return shell("""
                inside="unshare --mount --pid --fork sh -euc"
                if $inside 'mount -t proc proc proc; mount --bind /dev dev; chroot . /usr/bin/true' 2>/dev/null; then
                    $inside 'mount -t proc proc proc; mount --bind /dev dev
                        exec chroot . /usr/bin/env -i STATE_DIRECTORY=/var/lib/mortise /usr/bin/mortise run job -- \
                            sh -c "echo \\$MORTISE_LOCK"'
                else
                    lib64/ld-linux-*.so.* --inhibit-cache --library-path "$(echo "$PWD"/usr/lib/*-linux-gnu)" \
                        usr/lib/mortise/runtime/bin/java -m mortise/io.mortise.lock.cli.Main --version >version
                    grep -q '^mortise ' version && echo job
                fi
                """, root);
    }

    private static List<String> digests(String json) {
        return Pattern.compile("sha256:([0-9a-f]{64})")
                .matcher(json)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String blob(Path layout, String digest) throws IOException {
        return Files.readString(layout.resolve("blobs/sha256").resolve(digest));
    }
}
