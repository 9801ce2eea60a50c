// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each event of a lock is in a meter, with few tags. */
@Timeout(60)
class LockMetricsTest {
    private static final LockOptions OPTIONS =
            LockOptions.defaults().withLease(Duration.ofSeconds(1)).withMaxWait(Duration.ofMillis(50));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final LockMetrics metrics = LockMetrics.of(meters);
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final LockClient locks = client();

    private LockClient client() {
        return LockClient.builder(new MemoryBackend(store))
                .callTimeout(Duration.ofMillis(100))
                .options(OPTIONS)
                .listener(metrics)
                .build();
    }

    @AfterEach
    void close() {
        store.resume();
        locks.close();
    }

    private void awaitCount(String meter, int count, String... tags) {
        await().untilAsserted(() -> assertThat(count(meter, tags)).isEqualTo(count));
    }

    private double count(String meter, String... tags) {
        return meters.find(meter).tags(tags).meters().stream()
                .mapToDouble(each -> each.measure().iterator().next().getValue())
                .sum();
    }

    @Test
    void callsAreTimedByTheirEnd() throws Exception {
        DistributedLock lock = locks.lock("orders/42");
        try (LockClient other = client();
                Lease held = other.lock("orders/42").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(lock.tryAcquire(Duration.ofMillis(30))).isEmpty();
        }
        awaitCount("mortise.lock.wait", 1, "outcome", "granted", "lock", "orders/*");
        awaitCount("mortise.lock.wait", 1, "outcome", "busy", "lock", "orders/*");
        assertThat(meters.get("mortise.lock.wait")
                        .tag("outcome", "busy")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isGreaterThanOrEqualTo(30);
        awaitCount("mortise.lock.hold", 1, "end", "released");
    }

    @Test
    void silenceAndRefusalsAreToldApart() {
        store.pause();
        assertThatThrownBy(() -> locks.lock("a").tryAcquire()).isInstanceOf(LockStoreException.class);
        assertThat(locks.lock("b", OPTIONS.withGoOnWithoutAnswer(true)).tryAcquire())
                .isPresent();
        store.resume();
        store.withdrawPermission();
        assertThatThrownBy(() -> locks.lock("a").tryAcquire()).isInstanceOf(LockConfigurationException.class);
        store.givePermissionBack();
        awaitCount("mortise.lock.wait", 1, "outcome", "unanswered", "lock", "a");
        awaitCount("mortise.lock.wait", 1, "outcome", "without-lock", "lock", "b");
        awaitCount("mortise.lock.wait", 1, "outcome", "refused", "lock", "a");
    }

    @Test
    void aLeaseWithoutAnAnswerIsUnansweredAtRiskAndLost() throws Exception {
        // A machine that stands still for two thirds of a lease puts it at risk once more.
        Lease lease = locks.lock("a", OPTIONS.withLease(Duration.ofSeconds(6))).acquire();
        awaitCount("mortise.lock.wait", 1);
        await().until(() -> count("mortise.lock.renewal") > 0);
        store.pause();
        await().atMost(Duration.ofSeconds(30)).until(() -> !lease.isHeld());
        awaitCount("mortise.lock.lost", 1, "cause", "expired");
        awaitCount("mortise.lock.at.risk", 1);
        awaitCount("mortise.lock.hold", 1, "end", "lost");
        assertThat(count("mortise.lock.renewal.unanswered")).isPositive();
        assertThat(count("mortise.lock.hold", "end", "released")).isZero();
    }

    @Test
    void aHandOverIsToldApart() throws Exception {
        Lease first = locks.lock("a").acquire();
        Thread next = new Thread(() -> {
            try (Lease second =
                    locks.lock("a", OPTIONS.withMaxWait(Duration.ofSeconds(10))).acquire()) {
                assertThat(second.isHeld()).isTrue();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        next.start();
        await().until(() -> next.getState() == Thread.State.TIMED_WAITING);
        first.close();
        next.join();
        awaitCount("mortise.lock.hold", 2, "end", "released");
        assertThat(count("mortise.lock.wait", "outcome", "handed-over")
                        + count("mortise.lock.wait", "outcome", "granted"))
                .isEqualTo(2);
    }

    @Test
    void otherFailuresHaveOutcomesOfTheirOwn() {
        LockEvent event = new LockEvent("a", "store", 0, true, Duration.ZERO, Duration.ZERO);
        metrics.failed(event, new LockClosedException("a"));
        metrics.acquired(event);
        metrics.lost(event, new Loss(LossCause.EVICTED_OR_DELETED, "gone"));
        awaitCount("mortise.lock.wait", 1, "outcome", "closed", "store", "store");
        awaitCount("mortise.lock.wait", 1, "outcome", "handed-over");
        awaitCount("mortise.lock.lost", 1, "cause", "evicted-or-deleted");
    }

    @Test
    void namesMakeFewGroups() {
        grouped("job/550e8400-e29b-41d4-a716-446655440000/7", "job/*/*");
        grouped("plain", "plain");
        for (int i = 0; i < LockMetrics.MOST_GROUPS; i++) {
            metrics.timedOut(event("group-" + (char) ('A' + i / 26) + (char) ('a' + i % 26)));
        }
        grouped("one too many", LockMetrics.OTHERS);
        grouped("plain", "plain");
        assertThat(meters.find("mortise.lock.wait").meters()).hasSize(LockMetrics.MOST_GROUPS + 1);
    }

    private void grouped(String name, String group) {
        double before = count("mortise.lock.wait", "lock", group);
        metrics.timedOut(event(name));
        assertThat(count("mortise.lock.wait", "lock", group)).isEqualTo(before + 1);
    }

    private static LockEvent event(String name) {
        return new LockEvent(name, "store", 0, false, Duration.ZERO, Duration.ZERO);
    }

    @Test
    void theApplicationMayGroup() {
        LockMetrics own = LockMetrics.of(meters, name -> name.substring(0, name.indexOf('/')));
        own.timedOut(event("orders/x/y"));
        awaitCount("mortise.lock.wait", 1, "lock", "orders");
    }

    @Test
    @SuppressWarnings("NullAway") // nulls are what is tested
    void nullsAreRefused() {
        assertThatThrownBy(() -> LockMetrics.of(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("registry");
        assertThatThrownBy(() -> LockMetrics.of(meters, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("grouping");
    }
}
