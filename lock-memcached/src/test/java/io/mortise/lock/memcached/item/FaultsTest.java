// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.CALL;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.isStored;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.proxy.DropRule;
import io.mortise.lock.tck.servers.proxy.DropRule.Then;
import io.mortise.lock.tck.servers.proxy.DropRule.What;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that stand still, go away and come back, and connections that break or fall silent. */
class FaultsTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(4);

    private MemcachedServer server;
    private TcpProxy proxy;
    private LockBackend backend;

    @BeforeEach
    void start() {
        server = MemcachedServer.start("-m", "128", "-I", "32m");
        proxy = TcpProxy.to(server.host(), server.port());
        backend = open("memcached://" + proxy.host() + ":" + proxy.port());
    }

    @AfterEach
    void stop() {
        backend.close();
        proxy.close();
        server.close();
    }

    private LockClient client(LockBackend over, Duration lease) {
        return LockClient.builder(over)
                .options(LockOptions.defaults().withLease(lease))
                .build();
    }

    private void awaitContact() {
        await().atMost(AMPLE).until(() -> backend.inspect("anything", AMPLE).isEmpty());
    }

    // A server that stands still (SIGSTOP).

    @Test
    void everyCallToAFrozenServerEndsInItsTime() throws Exception {
        MemcachedClaim holder = claim(backend, "held", LEASE);
        assertThat(holder.tryAcquire(AMPLE)).isTrue();
        server.pause();

        endsInTime(() -> claim(backend, "lock", LEASE).tryAcquire(CALL));
        endsInTime(() -> holder.renew(LEASE, CALL));
        endsInTime(() -> holder.release(CALL));
        endsInTime(() -> backend.inspect("held", CALL));
        endsInTime(() -> backend.revoke("held", "why", false, CALL));
        try (LockBackend late = open(server.url())) {
            endsInTime(() -> claim(late, "lock", LEASE).tryAcquire(CALL));
        }

        server.resume();
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
    }

    private record Unanswered(MemcachedClaim claim, CompletableFuture<?> end) {}

    @Test
    void anUnansweredTryTellsWhenItHasEnded() throws Exception {
        Unanswered tried = unansweredTry();
        String lock = tried.claim.request.lock();
        assertThat(tried.end).isNotDone();

        proxy.heal();
        tried.end.get(10, TimeUnit.SECONDS);
        assertThat(isStored(server, lock)).as("obeyed late").isTrue();
        assertThat(tried.claim.release(AMPLE)).isTrue();
        assertThat(isStored(server, lock)).isFalse();
    }

    /** A try looks first, and changes nothing then, if the server was not heard for a moment: some are in vain. */
    private Unanswered unansweredTry() {
        for (int i = 0; i < 50; i++) {
            awaitContact();
            proxy.freezeRequests();
            MemcachedClaim claim = claim(backend, "lock " + i, LEASE);
            Optional<CompletionStage<?>> end =
                    endsInTime(() -> claim.tryAcquire(CALL)).end();
            if (end.isPresent()) {
                return new Unanswered(claim, end.get().toCompletableFuture());
            }
            proxy.heal();
        }
        throw new AssertionError("no try was sent within 100 ms after an answer");
    }

    private static BackendException endsInTime(Question question) {
        long start = System.nanoTime();
        BackendException thrown = catchThrowableOfType(BackendException.class, question::ask);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(CALL, CALL.plusSeconds(2));
        assertThat(thrown).hasMessageContaining("memcached at ");
        return thrown;
    }

    private interface Question {
        void ask() throws Exception;
    }

    @Test
    void theItemOfAnUnansweredTryIsRemovedAfterAThaw() {
        try (LockClient locks = client(backend, LEASE)) {
            awaitContact();
            server.pause();
            assertThatThrownBy(() -> locks.lock("lock").tryAcquire()).isInstanceOf(LockStoreException.class);
            server.resume();

            await().atMost(Duration.ofSeconds(8))
                    .until(() -> server.counter("cmd_get") > 1 && !isStored(server, "lock"));
        }
    }

    /** Its connection was replaced while the server stood still: release and try come to the server by different ways. */
    @Test
    void theItemOfATryOnAReplacedConnectionIsRemoved() throws Exception {
        // One try is one command only if the server was heard 100 ms before, which a busy machine may miss.
        boolean obeyed = false;
        for (int scene = 0; scene < 10 && !obeyed; scene++) {
            obeyed = triesOnReplacedConnectionsAreObeyed("lock " + scene);
        }
        assertThat(obeyed).as("tries that were obeyed").isTrue();
    }

    /** Whether a try was a command that came late; if so, nothing is left of any. */
    private boolean triesOnReplacedConnectionsAreObeyed(String name) throws Exception {
        List<LockClient> clients = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 8; i++) {
                clients.add(client(open("memcached://" + proxy.host() + ":" + proxy.port()), LEASE));
            }
            long before = proxy.accepted() + clients.size();
            long setBefore = server.counter("cmd_set");
            clients.forEach(locks -> assertThat(locks.lock("warm").holder()).isEmpty());
            server.pause();
            List<Future<?>> tries = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                DistributedLock lock = clients.get(i).lock(name + " " + i);
                tries.add(threads.submit(() -> lock.tryAcquire()));
            }
            for (Future<?> unanswered : tries) {
                assertThatThrownBy(unanswered::get).hasCauseInstanceOf(LockStoreException.class);
            }
            await("other connections").atMost(AMPLE).until(() -> proxy.accepted() >= before + clients.size());
            server.resume();

            long resumed = System.nanoTime();
            await().until(() -> server.counter("cmd_set") > setBefore
                    || System.nanoTime() - resumed > Duration.ofSeconds(3).toNanos());
            for (int i = 0; i < 8; i++) {
                String lock = name + " " + i;
                await(lock).atMost(AMPLE).during(Duration.ofMillis(500)).until(() -> !isStored(server, lock));
            }
            return server.counter("cmd_set") > setBefore;
        } finally {
            server.resume();
            threads.shutdownNow();
            clients.forEach(LockClient::close);
        }
    }

    @Test
    void anInterruptEndsATryAtOnce() throws Exception {
        awaitContact();
        server.pause();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                claim(backend, "lock", LEASE).tryAcquire(Duration.ofMinutes(5));
            } catch (Throwable failure) {
                thrown.set(failure);
            }
        });
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        thread.join(2_000);

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptedThreadRenewsAndReleases() throws Exception {
        MemcachedClaim holder = claim(backend, "lock", LEASE);
        assertThat(holder.tryAcquire(AMPLE)).isTrue();
        Thread.currentThread().interrupt();

        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(holder.release(AMPLE)).isTrue();
        assertThat(Thread.interrupted()).as("the flag").isTrue();
    }

    // A server that is down.

    @Test
    void aClientConnectsWhenItsServerComesUp() throws Exception {
        server.kill();
        try (LockBackend early = open(server.url())) {
            MemcachedClaim claim = claim(early, "lock", LEASE);
            endsInTime(() -> claim.tryAcquire(CALL));
            server.restart();
            long up = System.nanoTime();

            await().atMost(AMPLE).ignoreExceptions().until(() -> claim.tryAcquire(CALL));
            assertThat(Duration.ofNanos(System.nanoTime() - up)).isLessThan(Duration.ofSeconds(4));
        }
    }

    @Test
    void anEmptyRestartIsReportedAsALoss() {
        try (LockClient locks = client(backend, SHORT_LEASE)) {
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            Lease lease = locks.lock("lock").tryAcquire().orElseThrow();
            lease.onLost(loss::complete);
            server.restartEmpty();

            assertThat(loss).succeedsWithin(AMPLE).extracting(Loss::cause).isEqualTo(LossCause.EVICTED_OR_DELETED);
            await().atMost(AMPLE).until(() -> locks.lock("lock").tryAcquire().isPresent());
        }
    }

    @Test
    void aRestartThatKeepsItemsLosesNoLock() {
        try (MemcachedServer keeping = MemcachedServer.startRestartable();
                LockClient locks = client(open(keeping.url()), LEASE)) {
            Lease lease = locks.lock("lock").tryAcquire().orElseThrow();
            keeping.stop();
            await().pollDelay(MemcachedServer.LEAST_PAUSE).until(() -> true);
            keeping.restart();

            String before = keeping.command("gets " + Claims.key("lock")).get(0);
            await("a renewal").atMost(AMPLE).until(() -> !keeping.command("gets " + Claims.key("lock"))
                    .get(0)
                    .equals(before));
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    // Connections.

    @Test
    void aCutConnectionLosesNoLock() throws Exception {
        try (LockClient locks = client(backend, SHORT_LEASE.multipliedBy(2))) {
            Lease lease = locks.lock("lock").tryAcquire().orElseThrow();
            for (int i = 0; i < 3; i++) {
                long connections = proxy.accepted();
                proxy.killConnections();
                await().atMost(AMPLE).until(() -> proxy.accepted() > connections);
            }
            assertThat(lease.isHeld()).isTrue();
            await().atMost(AMPLE).ignoreExceptions().until(lease::release);
            assertThat(isStored(server, "lock")).isFalse();
        }
    }

    @Test
    void aConnectionWithoutAnswersIsReplaced() throws Exception {
        Duration lease = Duration.ofSeconds(15);
        try (LockClient locks = client(backend, lease)) {
            Lease held = locks.lock("lock").tryAcquire().orElseThrow();
            proxy.dropNext(new DropRule(What.REPLY, "", Then.HANG));
            await().pollDelay(lease).atMost(lease.multipliedBy(2)).until(() -> true);

            assertThat(proxy.accepted()).isEqualTo(2);
            assertThat(held.isHeld()).isTrue();
            assertThat(held.release()).isTrue();
        }
    }

    /** A part of the command is in the driver's buffers when it is given up, and the connection breaks after that. */
    @Test
    void aCommandThatWasGivenUpIsNotSentOnTheNextConnection() throws Exception {
        awaitContact();
        String label = "x".repeat(24 << 20);
        MemcachedClaim large = (MemcachedClaim) backend.claim(Claims.request("large", label, LEASE), () -> {});
        MemcachedClaim queued = claim(backend, "queued", LEASE);
        proxy.freezeRequests();
        assertThatThrownBy(() -> large.tryAcquire(CALL)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> queued.tryAcquire(CALL))
                .isInstanceOfSatisfying(BackendException.class, unsent -> assertThat(unsent.end())
                        .isEmpty());
        proxy.cut();
        proxy.heal();

        MemcachedClaim later = claim(backend, "later", LEASE);
        await().atMost(AMPLE).ignoreExceptions().until(() -> later.tryAcquire(CALL));
        assertThat(server.counter("cmd_set")).isEqualTo(1);
        assertThat(isStored(server, "large")).isFalse();
        assertThat(isStored(server, "queued")).isFalse();
    }

    @Test
    void aClaimFindsItsOwnGrantAfterALostReply() throws Exception {
        awaitContact();
        MemcachedClaim claim = claim(backend, "lock", LEASE);
        proxy.dropNextReply();
        assertThatThrownBy(() -> claim.tryAcquire(AMPLE)).isInstanceOf(BackendException.class);
        await().atMost(AMPLE).ignoreExceptions().until(() -> claim.tryAcquire(AMPLE));

        assertThat(claim(backend, "lock", LEASE).tryAcquire(AMPLE)).isFalse();
        assertThat(claim.release(AMPLE)).isTrue();
    }
}
