// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.BackgroundCall;
import io.mortise.lock.engine.ThrowingStore;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client gives back, and what it does if the store refuses that, or if a call that it gave up comes late. */
@Timeout(30)
class ReleaseAnswersTest {
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final List<Duration> timesForRelease = new CopyOnWriteArrayList<>();
    private final LockBackend recording = new ForwardingBackend(new MemoryBackend(memory)) {
        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean release(Duration atMost) {
                    timesForRelease.add(atMost);
                    return super.release(atMost);
                }
            };
        }
    };
    private final ThrowingStore store = new ThrowingStore(recording);
    private final LockClient locks = LockClient.builder(store).ticker(ticker).build();
    private final LockClient others =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();

    @AfterEach
    void close() {
        store.heal();
        locks.close();
        others.close();
    }

    @Test
    void aTryThatWasGivenUpIsReleasedOnceMoreWhenItHasEnded() throws Exception {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        store.plan(Call.TRY, () -> new BackendException("given up", null, end));
        BackgroundCall<Lease> call = BackgroundCall.start(locks.lock("a")::acquire);
        Lease lease = acquired(call);
        assertThat(lease.release()).isTrue();
        await().until(() -> store.calls(Call.RELEASE) == 2);
        end.complete(true);
        await().until(() -> store.calls(Call.RELEASE) == 3);
    }

    private Lease acquired(BackgroundCall<Lease> call) throws Exception {
        await().until(() -> {
            ticker.advance(Duration.ofMillis(10));
            return call.isDone();
        });
        return call.get();
    }

    @Test
    void aReleaseIsTriedAgainAlsoIfATryWasGivenUpLongAgo() throws Exception {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        store.plan(Call.TRY, () -> new BackendException("given up", null, end));
        Lease lease = acquired(BackgroundCall.start(locks.lock("a")::acquire));
        end.complete(true);
        store.plan(Call.RELEASE, () -> new BackendException("connection reset", null));
        assertThat(lease.release()).isTrue();
    }

    @Test
    void aRefusedReleaseIsNotTriedAgainAtOnceAndSaysWhy() throws Exception {
        Lease lease = locks.lock("a").acquire();
        AtomicInteger asked = new AtomicInteger();
        Thread releaser = Thread.currentThread();
        store.always(Call.RELEASE, () -> {
            if (Thread.currentThread() == releaser) {
                asked.incrementAndGet();
                throw BackendException.refused("grant DELETE to 'app'", null);
            }
        });
        assertThatThrownBy(lease::release)
                .isInstanceOf(LockReleaseException.class)
                .hasMessageContaining("grant DELETE to 'app'");
        assertThat(asked).hasValue(1);
        await().until(() -> {
            ticker.advance(Duration.ofMillis(10));
            return others.lock("a").tryAcquire().isPresent();
        });
    }

    @Test
    void aLeaseThatEndsWhileTheStoreRefusesToRenewItSaysWhy() throws Exception {
        CompletableFuture<Loss> lost = new CompletableFuture<>();
        Lease lease = locks.lock("a").acquire().onLost(lost::complete);
        store.always(Call.RENEW_ALL, () -> {
            throw BackendException.refused("grant UPDATE to 'app'", null);
        });
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return lost.isDone();
        });
        assertThat(lease.isHeld()).isFalse();
        assertThat(lost.get().cause()).isEqualTo(LossCause.EXPIRED);
        assertThat(lost.get().detail()).contains("grant UPDATE to 'app'");
    }

    @Test
    void aLeaseThatWasRenewedAfterARefusalEndsAsAnyOther() throws Exception {
        CompletableFuture<Loss> lost = new CompletableFuture<>();
        Lease lease = locks.lock("a").acquire().onLost(lost::complete);
        store.plan(Call.RENEW_ALL, () -> BackendException.refused("grant UPDATE to 'app'", null));
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return store.hasThrownAll();
        });
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return lease.remaining().compareTo(Duration.ofSeconds(25)) > 0;
        });
        store.always(Call.RENEW_ALL, () -> {
            throw new BackendException("silent", null);
        });
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return lost.isDone();
        });
        assertThat(lost.get().detail()).doesNotContain("grant");
    }

    @Test
    void anInterruptedWaitDoesNotWaitForASlowStore() throws Exception {
        Lease held = others.lock("a").acquire();
        BackgroundCall<Lease> waiter = BackgroundCall.start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.TRY) == 1);
        waiter.awaitWaiting();
        waiter.thread().interrupt();
        assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
        assertThat(timesForRelease).isNotEmpty();
        assertThat(timesForRelease.get(0)).isLessThanOrEqualTo(Duration.ofMillis(200));
        held.close();
    }

    @Test
    void aBackendThatWasClosedIsAClosedClient() {
        store.plan(Call.TRY, () -> BackendException.closed("Store"));
        assertThatThrownBy(() -> locks.lock("a", LockOptions.defaults()).tryAcquire())
                .isInstanceOf(LockClosedException.class);
    }
}
