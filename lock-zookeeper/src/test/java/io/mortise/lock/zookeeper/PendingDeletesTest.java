// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.proxy.DropRule;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P19: nodes whose creation or deletion was not answered. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // made before each test
class PendingDeletesTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    static ZooKeeperServer server;
    static TcpProxy proxy;

    private final String lock = Fixtures.name();
    private ZooKeeperBackend backend;
    private NodeAccess nodes;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        backend = Fixtures.open("zookeeper://" + proxy.host() + ":" + proxy.port() + "?sessionTimeout=40s");
        nodes = new NodeAccess(server.connectString());
        // The queue is there, stays, and everything is warm: the next creation is one request.
        Claim first = held();
        nodes.keep(lock);
        assertThat(first.release(Fixtures.AMPLE)).isTrue();
    }

    @AfterEach
    void close() throws Exception {
        proxy.heal();
        backend.close();
        nodes.close();
    }

    private Claim held() throws InterruptedException {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
        return claim;
    }

    /** Loses the next request about the queue, or its reply, and the connection. */
    private void dropNext(DropRule.What what) {
        proxy.dropNext(new DropRule(what, NodeAccess.queue(lock), DropRule.Then.CLOSE));
    }

    @Test
    void aNodeWhoseReplyWasLostIsFoundAndHolds() throws Exception {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        dropNext(DropRule.What.REPLY);

        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();

        assertThat(proxy.dropped()).isPositive();
        assertThat(nodes.line(lock)).hasSize(1);
        assertThat(claim.renew(LEASE, Fixtures.AMPLE)).isTrue();
        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aNodeWhoseRequestWasLostIsMade() throws Exception {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        dropNext(DropRule.What.REQUEST);

        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();

        assertThat(nodes.line(lock)).hasSize(1);
        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
    }

    @Test
    void aTryThatWasGivenUpIsCleanedUpInTheBackground() throws Exception {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        proxy.freezeReplies();

        assertThatThrownBy(() -> claim.tryAcquire(SHORT))
                .isInstanceOfSatisfying(BackendException.class, unanswered -> assertThat(unanswered.end())
                        .isPresent());
        await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).size() == 1);
        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        proxy.killConnections();
        proxy.heal();

        await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).isEmpty());
        assertThat(claim.release(Fixtures.AMPLE)).isFalse();
        assertThat(claim.tryAcquire(Fixtures.AMPLE)).as("a released claim").isFalse();
    }

    @Test
    void aNodeMadeAfterTheReleaseIsDeleted() throws Exception {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        proxy.freezeReplies();

        assertThatThrownBy(() -> claim.tryAcquire(SHORT)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        proxy.heal();

        await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).isEmpty());
    }

    /** D3. */
    @Test
    void anInterruptedTryLeavesNothing() throws Exception {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        proxy.freezeReplies();
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.completeExceptionally(new AssertionError("answered " + claim.tryAcquire(Fixtures.AMPLE)));
            } catch (InterruptedException interrupted) {
                outcome.complete(interrupted);
            }
        });
        thread.start();
        await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).size() == 1);
        thread.interrupt();

        assertThat(outcome.get(2, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        proxy.heal();
        assertThat(claim.release(Fixtures.AMPLE)).isFalse();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aReleaseDuringAnOutageIsDoneAfterwards() throws Exception {
        Claim claim = held();
        proxy.cut();

        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        assertThat(nodes.line(lock)).hasSize(1);
        proxy.heal();

        await().atMost(Duration.ofSeconds(20)).until(() -> nodes.line(lock).isEmpty());
    }

    @Test
    void aReleaseWhoseReplyWasLostAnswersYes() throws Exception {
        Claim claim = held();
        dropNext(DropRule.What.REPLY);

        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aRenewalSurvivesABrokenConnection() throws Exception {
        Claim claim = held();
        dropNext(DropRule.What.REPLY);

        assertThat(claim.renew(LEASE, Fixtures.AMPLE)).isTrue();
        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
    }

    /** K1. */
    @Test
    void aWatchWhoseRequestWasLostIsSetAgain() throws Exception {
        try (ZooKeeperBackend other = Fixtures.open(server.url())) {
            Claim holder = Fixtures.waiting(other, lock, LEASE);
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();
            AtomicInteger nudges = new AtomicInteger();
            Claim waiter = Fixtures.waiting(backend, lock, LEASE, nudges::incrementAndGet);
            proxy.dropNext(new DropRule(DropRule.What.REQUEST, nodes.line(lock).get(0), DropRule.Then.CLOSE));
            assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
            assertThat(proxy.dropped()).isPositive();
            int before = nudges.get();

            assertThat(holder.release(Fixtures.AMPLE)).isTrue();

            await().atMost(Fixtures.AMPLE).until(() -> nudges.get() > before);
            assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isTrue();
            assertThat(waiter.release(Fixtures.AMPLE)).isTrue();
        }
    }
}
