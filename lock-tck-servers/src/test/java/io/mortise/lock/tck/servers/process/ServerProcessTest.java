// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.tck.servers.support.TestClient;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    @Test
    void answersOnceItIsStarted() throws IOException {
        try (TestServer server = EchoDefinition.start();
                TestClient client = new TestClient(server.port())) {
            assertThat(client.ask("hello")).isEqualTo("hello");
            assertThat(server.isRunning()).isTrue();
            assertThat(server.host()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void severalHavePortsOfTheirOwn() {
        try (TestServer one = EchoDefinition.start();
                TestServer two = EchoDefinition.start()) {
            assertThat(one.port()).isNotEqualTo(two.port());
        }
    }

    @Test
    void answersNothingWhilePausedAndAllOfItAfterwards() throws IOException {
        try (TestServer server = EchoDefinition.start();
                TestClient client = new TestClient(server.port())) {
            client.ask("hello");

            server.pause();
            client.say("again");
            assertThat(client.hearsNothing(Duration.ofMillis(200))).isTrue();
            assertThat(server.isRunning()).isTrue();
            server.resume();

            assertThat(client.hear(5)).isEqualTo("again");
        }
    }

    @Test
    void itsChildrenArePausedAndKilledWithIt() throws IOException {
        try (TestServer server = EchoDefinition.start(EchoDefinition.Trait.IS_A_CHILD);
                TestClient client = new TestClient(server.port())) {
            server.pause();
            client.say("hello");
            assertThat(client.hearsNothing(Duration.ofMillis(200))).isTrue();

            server.resume();
            assertThat(client.hear(5)).isEqualTo("hello");

            server.kill();
            assertThatThrownBy(() -> new TestClient(server.port())).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void isGoneOnceItIsKilled() throws IOException {
        try (TestServer server = EchoDefinition.start()) {
            server.kill();

            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(() -> new TestClient(server.port())).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void canBeKilledAndStoppedWhilePaused() {
        try (TestServer server = EchoDefinition.start()) {
            server.pause();
            server.kill();
            server.restart();
            server.pause();
            server.stop();

            assertThat(server.isRunning()).isFalse();
        }
    }

    @Test
    void restartsOnItsPortWithItsData() throws IOException {
        try (TestServer server = EchoDefinition.start()) {
            int port = server.port();
            server.kill();
            server.restart();

            assertThat(server.port()).isEqualTo(port);
            try (TestClient client = new TestClient(port)) {
                assertThat(client.ask("hello")).isEqualTo("hello");
            }
            assertThat(server.output()).contains("start 1\n", "start 2\n");
        }
    }

    @Test
    void restartsWithoutItsData() {
        try (TestServer server = EchoDefinition.start()) {
            server.restartEmpty();

            assertThat(server.output()).isEqualTo("start 1\nstart 1\n");
        }
    }

    @Test
    void outlivesTheThreadThatStartedIt() throws Exception {
        FutureTask<TestServer> started = new FutureTask<>(() -> EchoDefinition.start());
        Thread starter = new Thread(started);
        starter.start();
        try (TestServer server = started.get()) {
            starter.join();

            try (TestClient client = new TestClient(server.port())) {
                assertThat(client.ask("hello")).isEqualTo("hello");
            }
        }
    }

    @Test
    void runsAsNobodyWhereItRefusesRoot() throws IOException {
        try (TestServer server = EchoDefinition.start(EchoDefinition.Trait.REFUSES_ROOT)) {
            assertThat(server.output()).isEqualTo("user " + userWithoutRights());
        }
    }

    @Test
    void nobodyCanRunAProgramThatLiesWhereOnlyRootMayGo(@TempDir Path closed) throws IOException {
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        Path tree = Files.createDirectory(closed.resolve("tree"));
        Path shell =
                Files.copy(Path.of("/bin/sh").toRealPath(), tree.resolve("sh"), StandardCopyOption.COPY_ATTRIBUTES);
        ServerProgram program = new ServerProgram(shell, Optional.of(tree), tree + "/lib");

        try (TestServer server = EchoDefinition.start(EchoDefinition.Trait.REFUSES_ROOT, program)) {
            assertThat(server.output()).isEqualTo("user " + userWithoutRights());
            server.restartEmpty();
            assertThat(server.isRunning()).isTrue();
        }
        assertThat(shell).exists();
    }

    private static String userWithoutRights() {
        String mine = CommandResult.of(new ProcessBuilder("id", "-u")).out();
        return mine.equals("0\n") ? "65534\n" : mine;
    }

    @Test
    void tellsWhatTheServerSaidIfItEndsInsteadOfAnswering() {
        assertThatThrownBy(() -> EchoDefinition.start(EchoDefinition.Trait.ENDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("status 3")
                .hasMessageContaining("I would rather not");
    }

    @Test
    void tellsWhatTheServerSaidIfItDoesNotAnswerInTime() {
        assertThatThrownBy(() -> EchoDefinition.start(EchoDefinition.Trait.IS_SILENT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not answer")
                .hasMessageContaining("I hear nothing");
    }

    @Test
    void leavesNoFileBehind() throws IOException {
        try (TestServer server = EchoDefinition.start()) {
            assertThat(server.isRunning()).isTrue();
        }
        assertThatThrownBy(() -> EchoDefinition.start(EchoDefinition.Trait.ENDS))
                .isInstanceOf(IllegalStateException.class);

        assertThat(ServerReaper.directory()).isEmptyDirectory();
    }

    @Test
    void isEndedWithAKilledJvm() throws Exception {
        Process jvm = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerProcessTest.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader out = jvm.inputReader()) {
            Path directory = Path.of(out.readLine());
            int port = Integer.parseInt(out.readLine());
            ProcessHandle later =
                    ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
            List<ProcessHandle> servers =
                    jvm.descendants().filter(each -> !each.equals(later)).toList();
            assertThat(directory).isDirectory();
            assertThat(servers).hasSizeGreaterThan(1);
            new TestClient(port).close();

            jvm.destroyForcibly().waitFor();

            await().untilAsserted(
                            () -> assertThatThrownBy(() -> new TestClient(port)).isInstanceOf(ConnectException.class));
            await().untilAsserted(() -> assertThat(directory).doesNotExist());
            await().until(() -> servers.stream().allMatch(ProcessSignals::hasEnded));
            assertThat(ProcessSignals.hasEnded(later)).isFalse();
            assertThat(later.destroyForcibly()).isTrue();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /**
     * A JVM that starts two servers, one of them paused, and waits to be killed. It takes another process for a server that had the
     * same number and has ended.
     */
    public static void main(String... arguments) throws Exception {
        TestServer server = EchoDefinition.start();
        EchoDefinition.start().pause();
        System.out.println(ServerReaper.directory());
        System.out.println(server.port());
        Process later = new ProcessBuilder("sleep", "60").start();
        ServerReaper.register(later.pid(), "1");
        System.out.println(later.pid());
        Thread.currentThread().join();
    }
}
