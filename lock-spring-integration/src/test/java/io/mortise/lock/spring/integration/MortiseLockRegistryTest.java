// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** What users of Spring Integration's registries rely on, with two registries that share a store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MortiseLockRegistryTest {
    private final ExecutorService otherThread = Executors.newSingleThreadExecutor();
    private RedisServer redis;
    private LockClient client = LockClient.connect("memory:");
    private LockClient otherClient = client;

    @BeforeAll
    void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    void stop() {
        redis.close();
        otherThread.shutdownNow();
    }

    Stream<String> stores() {
        return Stream.of(
                "memory:integration-" + UUID.randomUUID(),
                "jdbc:h2:mem:integration-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                redis.url());
    }

    private MortiseLockRegistry one(String url) {
        close();
        client = connected(url);
        otherClient = connected(url);
        return new MortiseLockRegistry(client);
    }

    /** With patience: a store may stand still now and then. */
    private static LockClient connected(String url) {
        return LockClient.builder(url).callTimeout(Duration.ofSeconds(20)).build();
    }

    private MortiseLockRegistry other() {
        return new MortiseLockRegistry(otherClient);
    }

    @AfterEach
    void close() {
        client.close();
        otherClient.close();
    }

    /** Also on a machine that stands still now and then. */
    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private <T> T onOtherThread(Callable<T> work) throws Exception {
        return otherThread.submit(work).get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aLockIsReentrantAndExcludesThreadsAndProcesses(String url) throws Exception {
        MortiseLockRegistry registry = one(url);
        Lock lock = registry.obtain("orders");

        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(registry.obtain("orders").tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(onOtherThread(() -> registry.obtain("orders").tryLock())).isFalse();
        assertThat(onOtherThread(() -> other().obtain("orders").tryLock(10, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(onOtherThread(() -> {
                    Lock free = registry.obtain("invoices");
                    boolean locked = free.tryLock();
                    free.unlock();
                    return locked;
                }))
                .isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(onOtherThread(() -> other().obtain("orders").tryLock())).isFalse();
        lock.unlock();

        assertThat(onOtherThread(() -> {
                    Lock next = other().obtain("orders");
                    next.lockInterruptibly();
                    next.unlock();
                    return true;
                }))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void onlyTheOwnerUnlocks(String url) throws Exception {
        MortiseLockRegistry registry = one(url);
        Lock lock = registry.obtain("orders");
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();

        assertThatThrownBy(() -> onOtherThread(() -> {
                    registry.obtain("orders").unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aLockIsRenewedByItsOwner(String url) throws Exception {
        MortiseLockRegistry registry = one(url);
        assertThatThrownBy(() -> registry.renewLock("orders")).isInstanceOf(IllegalStateException.class);
        Lock lock = registry.obtain("orders");
        lock.lock();
        registry.renewLock("orders");
        registry.renewLock("orders", Duration.ofMinutes(5));
        assertThat(client.lock("orders").asLock().lease().orElseThrow().remaining())
                .isGreaterThan(Duration.ofMinutes(4));
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aTaskRunsUnderALock(String url) throws Throwable {
        MortiseLockRegistry registry = one(url);
        Object lockedByOther = registry.executeLocked(
                "orders", () -> onOtherThread(() -> other().obtain("orders").tryLock()));
        assertThat(lockedByOther).isEqualTo(false);
        Lock held = other().obtain("orders");
        onOtherThread(() -> {
            held.lock();
            return true;
        });

        assertThatThrownBy(() -> registry.executeLocked("orders", Duration.ofMillis(20), () -> {}))
                .isInstanceOf(TimeoutException.class);
        onOtherThread(() -> {
            held.unlock();
            return true;
        });
    }

    @ParameterizedTest
    @MethodSource("stores")
    void whoHasLostALockIsTold(String url) throws Exception {
        Lock lock =
                one(url + (url.contains(";") ? ";" : "?") + "mortise.lease=6s").obtain("orders");
        lock.lock();
        assertThat(otherClient.lock("orders").revokeNow("test")).isTrue();
        Lease lease = client.lock("orders").asLock().lease().orElseThrow();
        soon().until(() -> !lease.isHeld());

        assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @ParameterizedTest
    @ValueSource(ints = 7)
    void aKeyIsAName(Object key) {
        MortiseLockRegistry registry = one("memory:");

        assertThatThrownBy(() -> registry.obtain(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Integer");
        assertThat(registry.obtain("7")).isEqualTo(registry.obtain("7"));
    }

    /** Counts how often it was granted the leadership and how often it was revoked. */
    private static final class Candidate extends DefaultCandidate {
        private final AtomicInteger granted = new AtomicInteger();
        private final AtomicInteger revoked = new AtomicInteger();

        @Override
        public void onGranted(Context context) {
            granted.incrementAndGet();
        }

        @Override
        public void onRevoked(Context context) {
            revoked.incrementAndGet();
        }
    }

    @Test
    void oneCandidateLeadsAndAnotherFollows() {
        MortiseLockRegistry registry = one("memory:leaders?mortise.lease=6s");
        Candidate first = new Candidate();
        Candidate second = new Candidate();
        LockRegistryLeaderInitiator one = started(registry, first);
        soon().until(() -> first.granted.get() == 1);
        LockRegistryLeaderInitiator two = started(other(), second);

        String role = first.getRole();
        soon().until(() -> otherClient.lock(role).revokeNow("test"));
        soon().until(() -> first.revoked.get() >= 1 && first.granted.get() + second.granted.get() >= 2);

        one.stop();
        soon().until(() -> second.granted.get() >= 1);
        soon().until(() -> two.getContext().isLeader());
        two.stop();
        soon().until(() -> second.revoked.get() == second.granted.get());
    }

    private static LockRegistryLeaderInitiator started(MortiseLockRegistry registry, Candidate candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.setHeartBeatMillis(20);
        initiator.setBusyWaitMillis(20);
        initiator.start();
        return initiator;
    }
}
