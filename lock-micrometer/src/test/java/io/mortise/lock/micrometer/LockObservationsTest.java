// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of locks as observations: what a tracing system is told. */
class LockObservationsTest {
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Spans spans = new Spans();
    private final LockClient client = LockClient.connect("memory:observed?mortise.lease=6s");
    private final LockClient others = LockClient.connect("memory:observed");
    private final LockObservations observations;

    LockObservationsTest() {
        registry.observationConfig().observationHandler(spans);
        observations = LockObservations.of(registry);
    }

    /** What has ended, in words: its name, its keys, and the name of what it was below. */
    private static final class Spans implements ObservationHandler<Observation.Context> {
        private final List<String> ended = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            String keys = StreamSupport.stream(context.getAllKeyValues().spliterator(), false)
                    .sorted()
                    .map(KeyValue::getValue)
                    .collect(Collectors.joining(" "));
            String below = Optional.ofNullable(context.getParentObservation())
                    .map(parent -> " below " + parent.getContextView().getName())
                    .orElse("");
            String failed = context.getError() == null ? "" : " failed";
            ended.add(context.getName() + " " + keys + below + failed);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @AfterEach
    void close() {
        client.close();
        others.close();
    }

    private DistributedLock lock(String name) {
        return observations.observed(client.lock(name));
    }

    @Test
    void aCallAndItsTaskAreBelowTheCaller() throws Exception {
        Observation caller = Observation.start("request", registry);
        try (Observation.Scope scope = caller.openScope()) {
            String result = lock("orders/42").call(lease -> {
                Observation.createNotStarted("work", registry).observe(() -> {});
                return lease.lockName();
            });
            assertThat(result).isEqualTo("orders/42");
        }

        assertThat(spans.ended)
                .containsExactly(
                        "mortise.lock.acquire orders/* orders/42 granted below request",
                        "work  below mortise.lock.hold",
                        "mortise.lock.hold held orders/* orders/42 below request");
    }

    @Test
    void whoFindsItBusyIsTold() throws Exception {
        try (Lease held = others.lock("orders/42").acquire()) {
            assertThat(lock("orders/42").tryAcquire()).isEmpty();
            assertThat(lock("orders/42").tryAcquire(Duration.ofMillis(10))).isEmpty();
            assertThat(lock("orders/42").tryRun(lease -> {})).isFalse();
            assertThat(lock("orders/42").<Integer, RuntimeException>tryCall(lease -> 1))
                    .isEmpty();
            assertThat(lock("orders/42").tryAcquireAsync(Duration.ZERO)).succeedsWithin(Duration.ofSeconds(60));
            LockOptions brief = client.options().withMaxWait(Duration.ofMillis(10));
            DistributedLock limited = observations.observed(client.lock("orders/42", brief));
            assertThatThrownBy(limited::acquire).isInstanceOf(LockTimeoutException.class);
            assertThat(held.isHeld()).isTrue();
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(spans.ended).hasSize(6));
        assertThat(spans.ended)
                .allMatch(span -> span.startsWith("mortise.lock.acquire orders/* orders/42 busy"))
                .filteredOn(span -> span.endsWith(" failed"))
                .hasSize(1);
    }

    @Test
    void aLossAndAFailureAreTold() {
        assertThatThrownBy(() -> lock("orders/42").run(lease -> {
                    assertThat(others.lock("orders/42").revokeNow("test")).isTrue();
                    await().atMost(Duration.ofSeconds(60)).until(() -> !lease.isHeld());
                }))
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock("orders/43").tryRun(lease -> {
                    throw new IllegalStateException("wrong");
                }))
                .hasMessage("wrong");

        assertThat(spans.ended)
                .filteredOn(span -> span.startsWith("mortise.lock.hold"))
                .satisfiesExactly(
                        lost -> assertThat(lost).startsWith("mortise.lock.hold lost orders/* orders/42"),
                        failed -> assertThat(failed).isEqualTo("mortise.lock.hold held orders/* orders/43 failed"));
    }

    @Test
    void aFutureIsObservedUntilItIsComplete() throws Exception {
        CompletableFuture<Lease> waiting;
        try (Lease held = others.lock("orders/42").acquire()) {
            waiting = lock("orders/42").acquireAsync();
            assertThat(held.isHeld()).isTrue();
            assertThat(spans.ended).isEmpty();
        }
        waiting.get().close();

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(spans.ended)
                .containsExactly("mortise.lock.acquire orders/* orders/42 granted"));
    }

    @Test
    void allElseIsAsTheLockDoes() throws Exception {
        DistributedLock lock = lock("orders/42");
        assertThat(lock.name()).isEqualTo("orders/42");
        assertThat(lock).hasToString("DistributedLock[orders/42]");
        try (Lease lease = lock.acquire()) {
            assertThat(lock.holder()).isPresent();
            assertThat(lock.asLock().holdCount()).isZero();
            assertThat(lock.revoke("test")).isTrue();
            assertThat(lock.revokeNow("test")).isTrue();
            await().atMost(Duration.ofSeconds(60)).until(() -> !lease.isHeld());
            boolean unused = lease.release();
        }
    }
}
