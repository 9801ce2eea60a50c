// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.micrometer.LockMetrics;
import io.mortise.lock.micrometer.LockObservations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/operating.md}. */
class OperatingTest {
    /** Where alarms go to. */
    interface Alarm {
        void raise(String text);
    }

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Test
    void locksAreListedAndRevoked() throws Exception {
        try (LockClient locks = LockClient.connect("memory:operating");
                Lease lease = locks.lock("orders/42").acquire()) {
            list(locks, lines::add);
            assertThat(lease.isHeld()).isTrue();
            assertThat(revoke(locks.lock("orders/43"))).isFalse();
        }

        assertThat(lines).singleElement().asString().startsWith("orders/42 is held by ");
    }

    @Test
    void locksAreTraced() throws Exception {
        ObservationRegistry observations = ObservationRegistry.create();
        try (LockClient locks = LockClient.connect("memory:operating")) {
            DistributedLock traced = LockObservations.of(observations).observed(locks.lock("orders/42"));
            assertThat(traced.tryRun(lease -> {})).isTrue();
        }
    }

    @Test
    void locksHaveMeters() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (LockClient metered = metered(registry);
                Lease lease = metered.lock("orders/42").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        await().until(() -> registry.find("mortise.lock.hold").timer() != null);
    }

    private static LockClient metered(MeterRegistry registry) {
        LockClient locks = LockClient.builder("memory:operating")
                .listener(LockMetrics.of(registry))
                .build();
        return locks;
    }

    private static void list(LockClient locks, Consumer<String> out) {
        try (Stream<LockHolder> holders = locks.holders("orders/")) {
            holders.forEach(holder -> out.accept(holder.lock() + " is held by " + holder.label() + " for "
                    + holder.heldFor().toSeconds() + " s"));
        }
    }

    private static boolean revoke(DistributedLock lock) {
        boolean held = lock.revoke("host db1 is going down for maintenance");
        return held;
    }

    @Test
    void alarmsAreRaised() {
        MemoryStore store = MemoryStore.named("alarms");
        String url = "memory:alarms?mortise.callTimeout=200ms";
        try (LockClient locks =
                LockClient.builder(url).listener(new LockAlarms(lines::add)).build()) {
            assertThat(isHealthy(locks)).isTrue();
            store.pause();
            assertThat(isHealthy(locks)).isFalse();
            assertThatThrownBy(() -> locks.lock("orders/42").tryAcquire()).isInstanceOf(LockStoreException.class);
            await().until(() -> !lines.isEmpty());
            store.resume();
        }

        assertThat(lines).singleElement().asString().startsWith("no lock orders/42: the store did not answer");
    }

    private static boolean isHealthy(LockClient locks) {
        try {
            return locks.ping().compareTo(Duration.ofSeconds(1)) < 0;
        } catch (LockException noAnswerOrRefused) {
            return false;
        }
    }

    static final class LockAlarms implements LockListener {
        private final Alarm alarm;

        LockAlarms(Alarm alarm) {
            this.alarm = alarm;
        }

        @Override
        public void lost(LockEvent event, Loss loss) {
            alarm.raise("lost lock " + event.lockName() + ": " + loss);
        }

        @Override
        public void atRisk(LockEvent event, Duration remaining) {
            alarm.raise("lock " + event.lockName() + " is not renewed; it ends in " + remaining.toSeconds() + " s");
        }

        @Override
        public void failed(LockEvent event, LockException failure) {
            alarm.raise("no lock " + event.lockName() + ": " + failure.getMessage());
        }
    }
}
