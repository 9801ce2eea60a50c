// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Jobs of a fleet: several applications with one store, whose schedulers the test plays. */
class LockedJobTest {
    private static final String NIGHTLY = "io.mortise.lock.spring.LockedJobTest$Jobs.nightly";

    private final MemoryStore store = MemoryStore.named("fleet-" + UUID.randomUUID());
    private final List<String> skipped = new CopyOnWriteArrayList<>();
    private final List<GenericApplicationContext> fleet = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();

    /** What each application has. */
    static class Jobs {
        private final AtomicInteger runs;

        Jobs(AtomicInteger runs) {
            this.runs = runs;
        }

        @LockedJob(atLeast = "10m")
        void nightly() {
            runs.incrementAndGet();
        }

        @LockedJob(name = "jobs/often", atLeast = "0s")
        void often(Runnable work) {
            work.run();
        }

        @LockedJob(name = "jobs/limited", atLeast = "0s", atMost = "200ms")
        void limited() throws InterruptedException {
            runs.incrementAndGet();
            Thread.sleep(600_000);
        }
    }

    private Jobs application() {
        return application(LockClient.builder(new MemoryBackend(store))
                .listener(counting())
                .build());
    }

    private Jobs application(LockClient client) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        fleet.add(context);
        context.registerBean(LockClient.class, () -> client);
        context.registerBean(Jobs.class, () -> new Jobs(runs));
        context.registerBean(LockedMethods.class, LockedMethods::new);
        context.refresh();
        return context.getBean(Jobs.class);
    }

    private LockListener counting() {
        return new LockListener() {
            @Override
            public void timedOut(LockEvent event) {
                skipped.add(event.lockName());
            }
        };
    }

    @AfterEach
    void close() {
        fleet.forEach(GenericApplicationContext::close);
    }

    @Test
    void oneOfTheFleetRunsAndTheOthersAreCounted() {
        List<Jobs> all = List.of(application(), application(), application());

        all.forEach(Jobs::nightly);

        assertThat(runs).hasValue(1);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(skipped).containsExactly(NIGHTLY, NIGHTLY));
    }

    @Test
    void whatIsNotKeptIsFreeAfterTheJob() {
        Jobs one = application();
        Jobs other = application();

        one.often(() -> other.often(runs::incrementAndGet));
        assertThat(runs).hasValue(0);
        other.often(runs::incrementAndGet);

        assertThat(runs).hasValue(1);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(skipped).containsExactly("jobs/often"));
    }

    @Test
    void aJobThatTakesTooLongLosesTheLock() {
        Jobs one = application();

        assertThatThrownBy(one::limited).isInstanceOf(LockLostException.class);

        assertThat(runs).hasValue(1);
    }

    @Test
    void aJobWhoseStoreIsSilentDoesNotRun() {
        LossyBackend silent = new LossyBackend(new MemoryBackend(store));
        Jobs one = application(
                LockClient.builder(silent).callTimeout(Duration.ofMillis(100)).build());
        silent.loseRandomly(1, 1);

        assertThatThrownBy(one::nightly).isInstanceOf(LockStoreException.class);
        assertThat(runs).hasValue(0);

        silent.loseRandomly(0, 1);
        // What was granted without an answer is given back first.
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            one.nightly();
            return runs.get() == 1;
        });
    }

    @Test
    void aJobThatFailsIsThrownToItsScheduler() {
        Jobs one = application();
        IllegalStateException wrong = new IllegalStateException("no paper");

        assertThatThrownBy(() -> one.often(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
    }
}
