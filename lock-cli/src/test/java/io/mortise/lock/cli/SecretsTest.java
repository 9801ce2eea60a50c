// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No password shows: not in what a store says, not in what the command says, and not in the list of processes. */
class SecretsTest {
    /** With ten thousand, and with other seeds, before a release: {@code -Dmortise.secrets.urls=10000 -Dmortise.secrets.seed=7}. */
    private static final String URLS = System.getProperty("mortise.secrets.urls", "2000");

    private static final String SEED = System.getProperty("mortise.secrets.seed", "20261124");
    private static final String PASSWORD = "Tr0ub4dor/horse@staple";

    @TempDir
    private Path directory;

    @Test
    @DisplayName("no exception, log, thread or output shows a secret of thousands of URLs")
    void randomUrls() throws Exception {
        List<String> command = new ArrayList<>(Mortise.commandLine());
        command.removeIf(Main.class.getName()::equals);
        command.add(1, "-Dslf4j.provider=" + RecordedLogs.class.getName());
        // H2 makes who errs wait.
        command.addAll(1, List.of("-Dh2.delayWrongPasswordMin=0", "-Dh2.socketConnectRetry=0"));
        command.addAll(List.of(SecretsFuzz.class.getName(), SEED, URLS, "300"));
        Path said = directory.resolve("said");
        Process fuzz = new ProcessBuilder(command)
                .redirectError(said.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(fuzz.waitFor(30, TimeUnit.MINUTES)).isTrue();
            assertThat(Processes.read(said))
                    .contains("seed " + SEED + ": " + URLS + " URLs opened, 300 given")
                    .contains(" 0 leaks");
            assertThat(fuzz.exitValue()).isZero();
        } finally {
            fuzz.destroyForcibly();
        }
    }

    @Test
    @DisplayName("a URL shows every option of every store but those that may be secret")
    void options() {
        Set<String> hidden = new TreeSet<>();
        for (LockBackendProvider provider : ServiceLoader.load(LockBackendProvider.class)) {
            String scheme = provider.schemes().iterator().next();
            String url = scheme.equals("jdbc") ? "jdbc:sqlite:x" : scheme + "://h";
            for (String option : provider.options()) {
                if (!StoreUrl.parse(url + "?" + option + "=some").toString().endsWith("=some")) {
                    hidden.add(option);
                }
            }
        }
        assertThat(hidden).containsExactly("acl", "sentinelPassword");
    }

    @Test
    @DisplayName("a password in a file or a variable opens the store, and no command line shows it")
    void apart() throws Exception {
        Path file = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (RedisServer redis = RedisServer.start("--requirepass", PASSWORD)) {
            String url = "redis://" + redis.host() + ":" + redis.port();
            for (String option : List.of("?mortise.passwordFile=" + file, "?mortise.passwordEnv=STORE_PASSWORD")) {
                Path main = directory.resolve("main");
                Files.deleteIfExists(main);
                List<String> run = Mortise.commandLine(
                        "run",
                        "--store",
                        url + option,
                        "job",
                        "--",
                        "sh",
                        "-c",
                        "echo $$ > main; while :; do sleep 0.05; done");
                try (Mortise mortise =
                        Mortise.start(directory, Map.of("STORE_PASSWORD", PASSWORD), Path.of("/dev/null"), run)) {
                    long command = Processes.number(main);
                    for (long pid : new long[] {mortise.pid(), mortise.guard(), command}) {
                        assertThat(Processes.read(Path.of("/proc/" + pid + "/cmdline")))
                                .isNotEmpty()
                                .doesNotContain("Tr0ub4dor");
                    }
                    mortise.signal("TERM").exitCode();
                    assertThat(mortise.err()).doesNotContain("Tr0ub4dor");
                }
            }
        }
    }

    @Test
    @DisplayName("--ask-password asks on the terminal without echo, and is a mistake without a terminal")
    void asked() throws Exception {
        try (RedisServer redis = RedisServer.start("--requirepass", PASSWORD)) {
            String url = "redis://" + redis.host() + ":" + redis.port();
            try (Mortise mortise = Mortise.start(directory, "ls", "--ask-password", "--store", url)) {
                assertThat(mortise.exitCode()).isEqualTo(64);
                assertThat(mortise.err()).contains("needs a terminal");
            }
            List<String> inTerminal = new ArrayList<>(Mortise.commandLine("ls", "--ask-password", "--store", url));
            inTerminal.replaceAll(part -> "'" + part + "'");
            Process terminal = new ProcessBuilder(
                            "script",
                            "-qec",
                            String.join(" ", inTerminal),
                            directory.resolve("typescript").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("screen").toFile())
                    .start();
            try {
                Processes.until(
                        () -> Processes.read(directory.resolve("screen")).contains("Password of the lock store:"));
                terminal.outputWriter().append(PASSWORD).append('\n').flush();
                assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(terminal.exitValue())
                        .as(Processes.read(directory.resolve("screen")))
                        .isZero();
                assertThat(Processes.read(directory.resolve("screen"))).doesNotContain("Tr0ub4dor");
            } finally {
                terminal.destroyForcibly();
            }
        }
    }

    @Test
    @DisplayName("a mistake in the arguments is told without the password of a URL among them")
    void mistakes() {
        for (String[] arguments : new String[][] {
            {"ls", "--stroe=redis://u:" + PASSWORD + "@h"}, {"ls", "a", "jdbc:postgresql://h/db?password=" + PASSWORD}
        }) {
            try (Mortise mortise = Mortise.start(directory, arguments)) {
                assertThat(mortise.exitCode()).isEqualTo(64);
                assertThat(mortise.err())
                        .contains("***")
                        .doesNotContain("Tr0ub4dor")
                        .doesNotContain("staple");
            }
        }
    }
}
