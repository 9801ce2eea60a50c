// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code mortise tck}. */
class TckTest {
    /** Grants each lock to everybody. */
    private static final String GENEROUS = """
            package generous;

            import io.mortise.lock.spi.*;
            import io.mortise.lock.spi.support.*;
            import java.time.Duration;
            import java.util.Set;

            public final class Provider implements LockBackendProvider {
                @Override
                public Set<String> schemes() {
                    return Set.of("generous");
                }

                @Override
                public Set<String> options() {
                    return Set.of();
                }

                @Override
                public LockBackend open(StoreUrl url) {
                    LockBackend memory = BackendSelection.open(StoreUrl.parse("memory:generous"), Set.of());
                    return new ForwardingBackend(memory) {
                        @Override
                        public Claim claim(ClaimRequest request, Runnable nudge) {
                            return new ForwardingClaim(super.claim(request, nudge)) {
                                @Override
                                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                                    super.tryAcquire(atMost);
                                    return true;
                                }
                            };
                        }
                    };
                }
            }
            """;

    @TempDir
    private Path directory;

    private Mortise tck(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "tck";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return Mortise.start(directory, line);
    }

    @Test
    @DisplayName("a store that keeps the rules: each case, the badge, 0")
    void right() {
        try (Mortise tck = tck("memory:right", "--cases", "a1_secondClientIsRefusedWhileHeld,E3,M,O,H8")) {
            assertThat(tck.exitCode()).as(tck.err()).isZero();
            assertThat(tck.out())
                    .startsWith("the suite runs on memory:right, with locks that begin with mortise-tck-")
                    .contains("\nok ", " A1: ", " E3: ", " H8: ", "\nskip   M1 M2 M4: the store lives in one JVM")
                    .contains("\nskip   O1 O2 O9: the command does nothing to a store; ")
                    .endsWith(" passed, 0 failed, 8 skipped\n")
                    .doesNotContain("FAIL");
            assertThat(tck.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("a backend in a jar of somebody else that breaks a rule: the rule, what happened, 1")
    void wrongInJar() throws IOException {
        Path report = directory.resolve("report");
        try (Mortise tck = tck(
                "generous:x",
                "--jar",
                jar().toString(),
                "--cases",
                "a1_secondClientIsRefusedWhileHeld",
                "--report",
                report.toString())) {
            assertThat(tck.exitCode()).as(tck.err()).isEqualTo(1);
            assertThat(tck.out())
                    .contains("\nFAIL ", "A1 is broken", "Time line:")
                    .endsWith(" 0 cases passed, 1 failed, 0 skipped\n");
            assertThat(tck.err()).isEmpty();
            assertThat(report.resolve("LiveStore.html")).content().contains("A1 is broken", "<rect class=\"both\"");
            assertThat(report.resolve("LiveStore.json")).content().contains("\"verdict\":\"failed\"");
        }
    }

    private Path jar() throws IOException {
        Path source = Files.createDirectory(directory.resolve("generous")).resolve("Provider.java");
        Files.writeString(source, GENEROUS);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        OutputStream.nullOutputStream(),
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        directory.toString(),
                        source.toString());
        assertThat(compiled).as("the backend is compiled").isZero();
        Path jar = directory.resolve("generous.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                var classes = Files.newDirectoryStream(source.getParent(), "*.class")) {
            out.putNextEntry(new JarEntry("META-INF/services/io.mortise.lock.spi.LockBackendProvider"));
            out.write("generous.Provider\n".getBytes(StandardCharsets.UTF_8));
            for (Path file : classes) {
                out.putNextEntry(new JarEntry("generous/" + file.getFileName()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "69 | redis://127.0.0.1:1 | the store did not answer",
                "64 | redis://127.0.0.1:1 --cases Z9 | no case of the suite is named 'Z9'",
                "64 | memory:x --lease 0ms | --lease",
                "64 | memory:x --jar /no/such.jar | --jar",
                "64 | memory:x --store memory:y | the store is an argument already",
                "64 | nothing:x | nothing",
            })
    @DisplayName("what cannot be tested: said once, and no case is run")
    void mistakes(int code, String arguments, String sentence) {
        try (Mortise tck = tck(arguments.split(" "))) {
            assertThat(tck.exitCode()).as(tck.err()).isEqualTo(code);
            assertThat(tck.err()).contains(sentence).hasLineCount(1);
            assertThat(tck.out()).isEmpty();
        }
    }

    @Test
    @DisplayName("child processes open the store, whose name no argument shows, and no row is left")
    void children() throws IOException {
        Path file = directory.resolve("quiet.db");
        Path store = Files.writeString(directory.resolve("store"), "jdbc:sqlite:" + file + "\n");
        Set<String> lines = new HashSet<>();
        try (Mortise tck = tck("--store-file", store.toString(), "--cases", "M1")) {
            Processes.until(
                    () -> {
                        ProcessHandle.of(tck.pid()).stream()
                                .flatMap(ProcessHandle::descendants)
                                .forEach(child ->
                                        lines.add(Processes.read(Path.of("/proc/" + child.pid() + "/cmdline"))));
                        return !tck.isAlive();
                    },
                    Duration.ofMinutes(3));
            assertThat(tck.exitCode()).as(tck.err()).isZero();
            assertThat(tck.out()).contains("\nok ", " M1: ");
        }
        assertThat(lines).anyMatch(line -> line.contains("ChildProgram")).noneMatch(line -> line.contains("quiet.db"));
        try (Mortise list = Mortise.start(directory, "ls", "--store-file", store.toString())) {
            assertThat(list.exitCode()).as(list.err()).isZero();
            assertThat(list.out()).doesNotContain("mortise-tck-");
        }
    }

    @Test
    @DisplayName("a live server: other locks stay as they are, and what is left has an end")
    void server() {
        try (RedisServer redis = RedisServer.start();
                Mortise other = Mortise.start(
                        directory,
                        Map.of(),
                        Path.of("/dev/null"),
                        Mortise.commandLine("run", "--store", redis.url(), "other", "--", "sleep", "600"))) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> redis.command("EXISTS", "mortise:{other}"), Long.valueOf(1)::equals);
            try (Mortise tck = tck(redis.url(), "--cases", "A1,B,I,R")) {
                assertThat(tck.exitCode()).as(tck.out() + tck.err()).isZero();
            }
            assertThat(other.isAlive()).isTrue();
            List<?> left = (List<?>) Objects.requireNonNull(redis.command("KEYS", "*mortise-tck-*"));
            assertThat(left).allSatisfy(key -> assertThat((Long) redis.command("TTL", (String) key))
                    .isBetween(0L, 24L * 3600));
        }
    }
}
