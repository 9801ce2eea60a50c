// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LockClientTest {
    /** Listeners fail here on purpose; held, so that the level is not forgotten. */
    private static final Logger FAILING_LISTENERS = Logger.getLogger("io.mortise.lock.engine.local.EventDispatcher");

    static {
        FAILING_LISTENERS.setLevel(Level.OFF);
    }

    private final MemoryStore store = new MemoryStore(Ticker.system());

    private LockClient client() {
        return LockClient.builder(new MemoryBackend(store)).build();
    }

    @Test
    void closeReleasesEverythingEndsWaitersAndStopsThreads() throws Exception {
        Set<Thread> before = ours();
        LockClient locks = client();
        List<Lease> leases = new ArrayList<>();
        List<Loss> losses = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(locks.lock("lock " + i).acquire().onLost(losses::add));
        }
        DistributedLock handle = locks.lock("lock 1");
        CompletableFuture<Lease> local = handle.acquireAsync();
        LockClient other = client();
        CompletableFuture<Lease> remote = other.lock("lock 2").acquireAsync();
        await().until(() ->
                other.lock("lock 2").holder().orElseThrow().waiters().orElse(0) == 1);
        locks.close();
        locks.close();
        assertThatThrownBy(local::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(LockClosedException.class);
        assertThat(remote.get().isHeld()).isTrue();
        other.close();
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThat(losses).hasSize(20).extracting(Loss::cause).containsOnly(LossCause.CLIENT_CLOSED);
        assertThat(client().holders("")).isEmpty();
        assertThatThrownBy(() -> locks.lock("a")).isInstanceOf(LockClosedException.class);
        assertThat(handle.acquireAsync())
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withCauseInstanceOf(LockClosedException.class);
        await().until(() -> before.containsAll(ours()));
    }

    @Test
    void allThreadsAreDaemons() throws Exception {
        try (LockClient locks = client()) {
            locks.lock("a").acquireAsync().get();
            assertThat(ours()).isNotEmpty().allMatch(Thread::isDaemon);
        }
    }

    @Test
    void listsHoldersPageByPage() throws Exception {
        try (LockClient locks = client()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 1_200; i++) {
                leases.add(locks.lock("jobs/" + i).acquire());
            }
            leases.add(locks.lock("other").acquire());
            assertThat(locks.holders("jobs/")).hasSize(1_200);
            assertThat(locks.holders("jobs/11").map(LockHolder::lock))
                    .contains("jobs/11", "jobs/1199")
                    .hasSize(111);
            assertThat(locks.holders("").map(LockHolder::lock)).hasSize(1_201).doesNotHaveDuplicates();
            assertThat(leases).allMatch(Lease::release);
            assertThat(locks.holders("")).isEmpty();
        }
    }

    @Test
    void checksFeaturesAndSafetyLevelAtTheStart() {
        assertThatThrownBy(() -> LockClient.builder(new MemoryBackend(store))
                        .atLeast(SafetyLevel.CONSENSUS)
                        .build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("SINGLE_STORE");
        try (LockClient fit = LockClient.builder(new MemoryBackend(store))
                .require(Feature.FENCED, Feature.FAIR)
                .atLeast(SafetyLevel.SINGLE_STORE)
                .build()) {
            assertThat(fit.features()).contains(Feature.FENCED);
        }
    }

    @Test
    void refusesALeaseThatDriftUsesUp() {
        try (LockClient locks = client()) {
            LockOptions tooShort = LockOptions.defaults().withLease(Duration.ofMillis(2));
            assertThatThrownBy(() -> locks.lock("a", tooShort)).isInstanceOf(LockConfigurationException.class);
            LockOptions tooLong = LockOptions.defaults().withLease(Duration.ofDays(36_500));
            assertThatThrownBy(() -> locks.lock("a", tooLong)).isInstanceOf(LockConfigurationException.class);
        }
    }

    @Test
    void refusesAMaxHoldThatIsOverBeforeTheCallerHasTheLease() {
        try (LockClient locks = client()) {
            LockOptions options = LockOptions.defaults();
            assertThatThrownBy(() -> locks.lock("a", options.withMaxHold(Duration.ofNanos(5_000))))
                    .isInstanceOf(LockConfigurationException.class);
            assertThatThrownBy(() -> locks.lock("a", options.withMaxHold(Duration.ofNanos(999_999))))
                    .isInstanceOf(LockConfigurationException.class);
            assertThat(locks.lock("a", options.withMaxHold(Duration.ofMillis(1)))
                            .name())
                    .isEqualTo("a");
        }
    }

    @Test
    void refusesNegativeDurationsAndAcceptsHugeOnes() throws Exception {
        try (LockClient locks = client()) {
            assertThatThrownBy(() -> locks.lock("a").tryAcquire(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> LockOptions.defaults().withLease(Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(locks.lock("a").tryAcquire(Duration.ofSeconds(Long.MAX_VALUE)))
                    .isPresent();
            assertThat(locks.lock("b").tryAcquire(Duration.ofDays(100_000))).isPresent();
        }
    }

    @Test
    void aTaskIsInterruptedWhenItsLeaseIsLost() {
        try (LockClient locks = client()) {
            LockOptions options = LockOptions.defaults().withLease(Duration.ofMillis(300));
            assertThatThrownBy(() -> locks.lock("a", options).run(lease -> {
                        store.delete("a");
                        Thread.sleep(20_000);
                    }))
                    .isInstanceOf(LockLostException.class)
                    .satisfies(lost -> assertThat(lost.getSuppressed()[0]).isInstanceOf(InterruptedException.class));
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void aTasksResultOrExceptionReachesTheCaller() throws Exception {
        try (LockClient locks = client()) {
            assertThat(locks.lock("a").<Long, RuntimeException>call(Lease::fencingToken))
                    .isPositive();
            assertThatThrownBy(() -> locks.lock("a").run(lease -> {
                        throw new java.io.IOException("the task's own");
                    }))
                    .isInstanceOf(java.io.IOException.class);
            assertThat(locks.lock("a").holder()).isEmpty();
        }
    }

    @Test
    void theBodysExceptionSuppressesThatOfTheRelease() {
        LossyBackend network = new LossyBackend(new MemoryBackend(store));
        try (LockClient locks = LockClient.builder(network).build()) {
            for (int i = 0; i < 3; i++) {
                network.loseNextRequest(Operation.RELEASE);
            }
            assertThatThrownBy(() -> {
                        try (Lease lease = locks.lock("a").acquire()) {
                            throw new IllegalStateException("body of " + lease.lockName());
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .satisfies(
                            thrown -> assertThat(thrown.getSuppressed()[0]).isInstanceOf(LockReleaseException.class));
        }
    }

    @Test
    void cancellingAnAsynchronousCallEndsItsWait() throws Exception {
        try (LockClient locks = client();
                LockClient other = client()) {
            Lease lease = locks.lock("a").acquire();
            CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
            await().until(() -> locks.lock("a").holder().orElseThrow().waiters().orElse(0) == 1);
            waiting.cancel(true);
            await().until(() -> locks.lock("a").holder().orElseThrow().waiters().orElse(1) == 0);
            lease.close();
            assertThat(locks.lock("a").tryAcquire()).isPresent();
        }
    }

    @Test
    void listenersGetEventsInOrder() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        AtomicReference<Duration> waited = new AtomicReference<>();
        LockListener listener = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                waited.set(event.waited());
                events.add("acquired " + event.lockName());
            }

            @Override
            public void timedOut(LockEvent event) {
                events.add("timedOut " + event.lockName());
            }

            @Override
            public void released(LockEvent event) {
                events.add("released " + event.lockName());
                throw new IllegalStateException("a listener's own mistake");
            }

            @Override
            public void lost(LockEvent event, Loss loss) {
                events.add("lost " + event.lockName() + " " + loss.cause());
            }
        };
        try (LockClient locks =
                LockClient.builder(new MemoryBackend(store)).listener(listener).build()) {
            locks.lock("a").acquire().close();
            Lease lease = locks.lock("b", LockOptions.defaults().withLease(Duration.ofMillis(300)))
                    .acquire();
            assertThat(locks.lock("b").tryAcquire()).isEmpty();
            store.delete("b");
            await().until(() -> !lease.isHeld());
            await().untilAsserted(() -> assertThat(events)
                    .containsExactly(
                            "acquired a", "released a", "acquired b", "timedOut b", "lost b EVICTED_OR_DELETED"));
            assertThat(waited.get()).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aBuilderRefusesToSetAValueTwice() {
        LockClientBuilder builder = LockClient.builder("memory:a").ticker(Ticker.system());
        assertThatThrownBy(() -> builder.ticker(Ticker.system())).isInstanceOf(IllegalStateException.class);
    }

    private static Set<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mortise-"))
                .collect(Collectors.toSet());
    }

    @Test
    void aListenerThatIsRegisteredAfterTheCloseIsToldOfTheLoss() throws Exception {
        LockClient locks = LockClient.connect("memory:listener-after-close");
        Lease lease = locks.lock("a").acquire();
        locks.close();
        CompletableFuture<Loss> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        assertThat(told.get(10, TimeUnit.SECONDS).cause()).isEqualTo(LossCause.CLIENT_CLOSED);
    }
}
