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

/** Nodes whose creation or deletion nobody heard of. P19. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // made before each test
class PendingDeletesTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    static ZooKeeperServer server;
    static TcpProxy proxy;

    private final String lock = Asking.name();
    private ZooKeeperBackend backend;
    private Nodes nodes;

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
        backend = Asking.open("zookeeper://" + proxy.host() + ":" + proxy.port() + "?sessionTimeout=40s");
        nodes = new Nodes(server.connectString());
        // The queue is there, stays, and everything is warm: the next creation is one request.
        Claim first = Asking.waiting(backend, lock, LEASE);
        assertThat(first.tryAcquire(Asking.AMPLE)).isTrue();
        nodes.keep(lock);
        assertThat(first.release(Asking.AMPLE)).isTrue();
    }

    @AfterEach
    void close() throws Exception {
        proxy.heal();
        backend.close();
        nodes.close();
    }

    @Test
    void aNodeWhoseCreationWasNotAnsweredIsFoundAndHolds() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        proxy.dropNext(new DropRule(DropRule.What.REPLY, Nodes.queue(lock), DropRule.Then.CLOSE));

        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();

        assertThat(proxy.dropped()).isPositive();
        assertThat(nodes.line(lock)).hasSize(1);
        assertThat(claim.renew(Asking.AMPLE)).isTrue();
        assertThat(claim.release(Asking.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aNodeThatWasNeverMadeIsMade() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        proxy.dropNext(new DropRule(DropRule.What.REQUEST, Nodes.queue(lock), DropRule.Then.CLOSE));

        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();

        assertThat(nodes.line(lock)).hasSize(1);
        assertThat(claim.release(Asking.AMPLE)).isTrue();
    }

    @Test
    void aTryThatWasGivenUpIsCleanedUpInTheBackground() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        proxy.freezeReplies();

        assertThatThrownBy(() -> claim.tryAcquire(SHORT))
                .isInstanceOfSatisfying(BackendException.class, unanswered -> assertThat(unanswered.end())
                        .isPresent());
        await().atMost(Asking.AMPLE).until(() -> nodes.line(lock).size() == 1);
        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        proxy.killConnections();
        proxy.heal();

        await().atMost(Asking.AMPLE).until(() -> nodes.line(lock).isEmpty());
        assertThat(claim.release(Asking.AMPLE)).isFalse();
        assertThat(claim.tryAcquire(Asking.AMPLE)).as("a released claim").isFalse();
    }

    @Test
    void anAnswerThatComesAfterTheReleaseIsCleanedUp() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        proxy.freezeReplies();

        assertThatThrownBy(() -> claim.tryAcquire(SHORT)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        proxy.heal();

        await().atMost(Asking.AMPLE).until(() -> nodes.line(lock).isEmpty());
    }

    /** D3. */
    @Test
    void anInterruptedTryLeavesNothing() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        proxy.freezeReplies();
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.completeExceptionally(new AssertionError("answered " + claim.tryAcquire(Asking.AMPLE)));
            } catch (InterruptedException interrupted) {
                outcome.complete(interrupted);
            }
        });
        thread.start();
        await().atMost(Asking.AMPLE).until(() -> nodes.line(lock).size() == 1);
        thread.interrupt();

        assertThat(outcome.get(2, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        proxy.heal();
        assertThat(claim.release(Asking.AMPLE)).isFalse();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aReleaseWhileTheStoreIsAwayIsDoneWhenItIsBack() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        proxy.cut();

        assertThatThrownBy(() -> claim.release(SHORT)).isInstanceOf(BackendException.class);
        assertThat(nodes.line(lock)).hasSize(1);
        proxy.heal();

        await().atMost(Duration.ofSeconds(20)).until(() -> nodes.line(lock).isEmpty());
    }

    @Test
    void aReleaseWhoseReplyWasLostWasARelease() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        proxy.dropNext(new DropRule(DropRule.What.REPLY, Nodes.queue(lock), DropRule.Then.CLOSE));

        assertThat(claim.release(Asking.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void aRenewalSurvivesABrokenConnection() throws Exception {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        proxy.dropNext(new DropRule(DropRule.What.REPLY, Nodes.queue(lock), DropRule.Then.CLOSE));

        assertThat(claim.renew(Asking.AMPLE)).isTrue();
        assertThat(claim.release(Asking.AMPLE)).isTrue();
    }

    /** K1. */
    @Test
    void aWatchThatWasAskedForInVainIsAskedForAgain() throws Exception {
        try (ZooKeeperBackend other = Asking.open(server.url())) {
            Claim holder = Asking.waiting(other, lock, LEASE);
            assertThat(holder.tryAcquire(Asking.AMPLE)).isTrue();
            AtomicInteger nudges = new AtomicInteger();
            Claim waiter = Asking.waiting(backend, lock, LEASE, nudges::incrementAndGet);
            proxy.dropNext(new DropRule(DropRule.What.REQUEST, nodes.line(lock).get(0), DropRule.Then.CLOSE));
            assertThat(waiter.tryAcquire(Asking.AMPLE)).isFalse();
            assertThat(proxy.dropped()).isPositive();
            int before = nudges.get();

            assertThat(holder.release(Asking.AMPLE)).isTrue();

            await().atMost(Asking.AMPLE).until(() -> nudges.get() > before);
            assertThat(waiter.tryAcquire(Asking.AMPLE)).isTrue();
            assertThat(waiter.release(Asking.AMPLE)).isTrue();
        }
    }
}
