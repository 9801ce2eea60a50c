// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.tck.servers.support.DaemonThread;
import io.mortise.lock.tck.servers.support.EchoServer;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.TestClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private EchoServer server;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to("127.0.0.1", server.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void carriesBytesBothWays() throws IOException {
        try (TestClient one = new TestClient(proxy.port());
                TestClient two = new TestClient(proxy.port())) {
            assertThat(one.ask("one")).isEqualTo("one");
            assertThat(two.ask("two")).isEqualTo("two");
            assertThat(proxy.accepted()).isEqualTo(2);
            assertThat(proxy.open()).isEqualTo(2);
        }
        await().until(() -> proxy.open() == 0);
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    @Test
    void carriesMoreThanOneBufferInOrder() throws IOException {
        String much = "0123456789".repeat(50_000);
        try (TestClient client = new TestClient(proxy.port())) {
            DaemonThread.start("test", () -> sayAll(client, much));

            assertThat(client.hear(much.length())).isEqualTo(much);
        }
    }

    @Test
    void cutResetsConnectionsAndRefusesNewOnes() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");

            proxy.cut();

            assertThatThrownBy(() -> client.ask("again")).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> new TestClient(proxy.port())).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void healListensOnTheSamePortAgain() throws IOException {
        int port = proxy.port();
        proxy.cut();

        proxy.heal();

        assertThat(proxy.port()).isEqualTo(port);
        try (TestClient client = new TestClient(port)) {
            assertThat(client.ask("hello")).isEqualTo("hello");
        }
    }

    @Test
    void killedConnectionsAreResetAndNewOnesAreWelcome() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");

            proxy.killConnections();

            assertThatThrownBy(() -> client.ask("again")).isInstanceOf(SocketException.class);
        }
        try (TestClient client = new TestClient(proxy.port())) {
            assertThat(client.ask("hello")).isEqualTo("hello");
        }
    }

    @Test
    void frozenBytesArriveAfterHealing() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");
            proxy.freeze();

            client.say("again");
            assertThat(client.hearsNothing(A_MOMENT)).isTrue();
            assertThat(server.heard()).isEqualTo(5);

            proxy.heal();
            assertThat(client.hear(5)).isEqualTo("again");
        }
    }

    @Test
    void frozenBytesOfKilledConnectionsAreLost() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");
            proxy.freeze();
            client.say("again");
            assertThat(client.hearsNothing(A_MOMENT)).isTrue();

            proxy.killConnections();
            proxy.heal();

            assertThatThrownBy(() -> client.hear(5)).isInstanceOf(SocketException.class);
            assertThat(server.heard()).isEqualTo(5);
        }
    }

    @Test
    void aFrozenProxyAcceptsConnectionsThatHearNothing() throws IOException {
        proxy.freeze();
        try (TestClient client = new TestClient(proxy.port())) {
            client.say("hello");
            assertThat(client.hearsNothing(A_MOMENT)).isTrue();

            proxy.heal();
            assertThat(client.hear(5)).isEqualTo("hello");
        }
    }

    @Test
    void frozenRepliesLetRequestsThrough() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");
            proxy.freezeReplies();

            client.say("again");

            await().until(() -> server.heard() == 10);
            assertThat(client.hearsNothing(A_MOMENT)).isTrue();
            proxy.heal();
            assertThat(client.hear(5)).isEqualTo("again");
        }
    }

    @Test
    void frozenRequestsDoNotArrive() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            proxy.freezeRequests();

            client.say("hello");

            assertThat(client.hearsNothing(A_MOMENT)).isTrue();
            assertThat(server.heard()).isZero();
        }
    }

    @Test
    void repliesAreDelayedInOrderAndNotOneAfterTheOther() throws IOException {
        Duration delay = Duration.ofSeconds(1);
        try (TestClient client = new TestClient(proxy.port())) {
            client.ask("hello");
            proxy.delayReplies(delay);

            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                int before = 5 + i;
                client.say(String.valueOf(i));
                await().pollInterval(Duration.ofMillis(1)).until(() -> server.heard() == before + 1);
            }
            String heard = client.hear(10);
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertThat(heard).isEqualTo("0123456789");
            assertThat(took).isBetween(delay, delay.multipliedBy(8));
        }
    }

    @Test
    void healingEndsDelays() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            proxy.delayReplies(Duration.ofHours(1));
            client.say("hello");
            await().until(() -> server.heard() == 5);

            proxy.heal();

            assertThat(client.hear(5)).isEqualTo("hello");
        }
    }

    @Test
    void aDroppedReplyResetsItsConnectionAfterTheServerHasObeyed() throws IOException {
        try (TestClient client = new TestClient(proxy.port());
                TestClient other = new TestClient(proxy.port())) {
            client.ask("hello");
            proxy.dropNextReply();

            client.say("again");

            assertThatThrownBy(() -> client.hear(5)).isInstanceOf(SocketException.class);
            assertThat(server.heard()).isEqualTo(10);
            assertThat(other.ask("hello")).isEqualTo("hello");
            await().until(() -> proxy.dropped() == 1);
        }
    }

    @Test
    void aDroppedReplyMayBeFollowedBySilence() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            proxy.dropNext(new DropRule(DropRule.What.REPLY, "", DropRule.Then.HANG));

            client.say("hello");
            await().until(() -> proxy.dropped() == 1);
            client.say("again");

            assertThat(client.hearsNothing(A_MOMENT)).isTrue();
            assertThat(server.heard()).isEqualTo(5);
        }
    }

    @Test
    void aDropWaitsForTheRequestThatItNames() throws IOException {
        try (TestClient client = new TestClient(proxy.port())) {
            proxy.dropNext(new DropRule(DropRule.What.REQUEST, "acquire", DropRule.Then.CLOSE));

            assertThat(client.ask("hello")).isEqualTo("hello");
            client.say("acquire it");

            assertThatThrownBy(() -> client.hear(5)).isInstanceOf(SocketException.class);
            assertThat(server.heard()).isEqualTo(5);
            await().until(() -> proxy.dropped() == 1);
        }
    }

    @Test
    void theServersEndReachesTheClientAfterAllThatItSaid() throws IOException {
        try (OneMessageServer goodbye = new OneMessageServer();
                TcpProxy toIt = TcpProxy.to("127.0.0.1", goodbye.port());
                TestClient client = new TestClient(toIt.port())) {
            assertThat(client.hear(100)).isEqualTo("goodbye");
        }
    }

    @Test
    void aConnectionToNobodyIsReset() throws IOException {
        server.close();
        try (TestClient client = new TestClient(proxy.port())) {
            assertThatThrownBy(() -> client.ask("hello")).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aPatientProxyWaitsForAServerThatIsAboutToListen() throws IOException {
        int port = FreePort.pick();
        try (TcpProxy patient = TcpProxy.to("127.0.0.1", port, Duration.ofSeconds(30));
                TestClient early = new TestClient(patient.port())) {
            assertThat(early.hearsNothing(A_MOMENT)).isTrue();
            try (EchoServer late = new EchoServer(port)) {
                assertThat(late.port()).isEqualTo(port);
                assertThat(early.ask("hello")).isEqualTo("hello");
            }
        }
    }

    @Test
    void closingAFrozenProxyEndsItsThreads() throws IOException {
        Set<Thread> before = threads();
        TcpProxy frozen = TcpProxy.to("127.0.0.1", server.port());
        try (TestClient client = new TestClient(frozen.port())) {
            try (frozen) {
                client.ask("hello");
                frozen.freeze();
                client.say("again");
            }
        }
        await().until(() -> before.containsAll(threads()));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("proxy "))
                .collect(Collectors.toSet());
    }

    private static void sayAll(TestClient client, String much) {
        try {
            client.say(much);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
