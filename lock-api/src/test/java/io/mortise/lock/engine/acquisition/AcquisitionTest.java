// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.engine.BackgroundCall;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class AcquisitionTest {
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store), ticker);
    private final LockClient holder = client(new LossyBackend(new MemoryBackend(store), ticker));
    private final LockClient waiter = client(network);

    private LockClient client(LossyBackend backend) {
        return LockClient.builder(backend).ticker(ticker).build();
    }

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
    }

    @Test
    void aFreeLockIsGrantedAndABusyOneIsNot() throws Exception {
        try (Lease lease = holder.lock("a").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.fencingToken()).isPositive();
            assertThat(waiter.lock("a").tryAcquire()).isEmpty();
            assertThat(holder.lock("a").tryAcquire()).isEmpty();
            assertThat(waiter.lock("b").tryAcquire()).isPresent();
        }
        assertThat(waiter.lock("a").tryAcquire()).isPresent();
    }

    /** Its first answers come later than a lease. */
    private LockBackend late(int answers) {
        AtomicInteger left = new AtomicInteger(answers);
        return new ForwardingBackend(new MemoryBackend(store)) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) throws InterruptedException {
                        boolean granted = super.tryAcquire(atMost);
                        if (left.getAndDecrement() > 0) {
                            ticker.advance(request.lease().plusSeconds(1));
                        }
                        return granted;
                    }
                };
            }
        };
    }

    /** As after a slow reconnection. */
    @Test
    void aGrantThatCameLateOnceIsNoSilence() throws Exception {
        try (LockClient client = LockClient.builder(late(1)).ticker(ticker).build()) {
            Future<Lease> call = CompletableFuture.supplyAsync(() -> acquired(client));
            await().until(() -> {
                ticker.advance(Duration.ofMillis(10));
                return call.isDone();
            });
            assertThat(call.get().isHeld()).isTrue();
        }
    }

    @Test
    void aStoreWhoseGrantsAreAlwaysLateIsOfNoUse() {
        try (LockClient client = LockClient.builder(late(100)).ticker(ticker).build()) {
            Future<Lease> call = CompletableFuture.supplyAsync(() -> acquired(client));
            await().until(() -> {
                ticker.advance(Duration.ofMillis(10));
                return call.isDone();
            });
            assertThatThrownBy(call::get).hasRootCauseMessage("the store granted the lock when the lease was over");
        }
    }

    private static Lease acquired(LockClient client) {
        try {
            return client.lock("late").acquire();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aStoreThatRefusesForGoodIsAskedOnce() {
        AtomicInteger tries = new AtomicInteger();
        LockBackend strict = new ForwardingBackend(new MemoryBackend(store)) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) {
                        throw tries.incrementAndGet() == 1
                                ? new LockConfigurationException("no such user")
                                : BackendException.refused("no such user", null);
                    }
                };
            }
        };
        try (LockClient client = LockClient.builder(strict).ticker(ticker).build()) {
            assertThatThrownBy(() -> client.lock("a").acquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessage("no such user");
            assertThatThrownBy(() -> client.lock("a").acquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessage("no such user");
            assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockConfigurationException.class);
        }
        assertThat(tries).hasValue(3);
    }

    @Test
    void aReleaseWakesTheWaiterWithoutPolling() throws Exception {
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> waiting = waiter.lock("a").acquireAsync();
        await("the waiter is refused").until(() -> network.ended(Operation.TRY) == 1);
        lease.close();
        assertThat(waiting.get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aTimedWaitEndsAtItsTimeAndLeavesNothing() throws Exception {
        Lease lease = holder.lock("a").acquire();
        FutureTask<Optional<Lease>> waiting = inThread(() -> waiter.lock("a").tryAcquire(Duration.ofSeconds(5)));
        awaitCalls(Operation.TRY, 1);
        ticker.awaitParked(2);
        ticker.advance(Duration.ofMillis(4_999));
        assertThat(waiting).isNotDone();
        ticker.advance(Duration.ofMillis(1));
        assertThat(waiting.get()).isEmpty();
        assertThat(lease.release()).isTrue();
        assertThat(store.size()).isZero();
    }

    @Test
    void acquireThrowsWhenOthersHoldTheLockForMaxWait() throws Exception {
        try (Lease lease = holder.lock("a").acquire()) {
            LockOptions options = LockOptions.defaults().withMaxWait(Duration.ZERO);
            assertThatThrownBy(() -> waiter.lock("a", options).acquire())
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'a'");
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aTryAfterALostReplyGetsTheSameToken() throws Exception {
        network.loseNextReply(Operation.TRY);
        FutureTask<Lease> waiting = inThread(() -> waiter.lock("a").acquire());
        drive(waiting);
        Lease lease = waiting.get();
        assertThat(lease.isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
        assertThat(waiter.lock("a").holder())
                .hasValueSatisfying(found -> assertThat(found.fencingToken()).isEqualTo(lease.fencingToken()));
    }

    @Test
    void noAnswerIsAnErrorAndNeverBusy() {
        store.pause();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                waiter.lock("a").tryAcquire();
            } catch (RuntimeException thrown) {
                failure.set(thrown);
            }
        });
        caller.start();
        while (caller.isAlive()) {
            ticker.advance(Duration.ofMillis(100));
        }
        store.resume();
        assertThat(failure.get()).isInstanceOf(LockStoreException.class).hasMessageContaining("'a'");
    }

    @Test
    void aWaitWithoutLimitGivesUpAfterOneLeaseWithoutAnswer() throws Exception {
        network.loseRandomly(1.0, 1);
        FutureTask<Lease> waiting = inThread(() -> waiter.lock("a").acquire());
        drive(waiting);
        assertThatThrownBy(waiting::get)
                .hasRootCauseInstanceOf(RuntimeException.class)
                .cause()
                .isInstanceOf(LockStoreException.class);
        assertThat(network.calls(Operation.TRY)).isBetween(2L, 60L);
    }

    @Test
    void aGrantThatArrivesAfterItsLeaseIsNoGrant() throws Exception {
        network.delayNextReply(Operation.TRY, Duration.ofSeconds(31));
        FutureTask<Optional<Lease>> waiting = inThread(() -> waiter.lock("a").tryAcquire(Duration.ofSeconds(31)));
        awaitCalls(Operation.TRY, 1);
        ticker.awaitParked(1);
        ticker.advance(Duration.ofSeconds(31));
        assertThatThrownBy(waiting::get).cause().isInstanceOf(LockStoreException.class);
        assertThat(holder.lock("a").tryAcquire(Duration.ofMinutes(1))).isPresent();
    }

    @Test
    void anInterruptedWaiterLeavesAtOnceAndLeavesNothing() throws Exception {
        Lease lease = holder.lock("a").acquire();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                waiter.lock("a").acquire();
            } catch (InterruptedException expected) {
                thrown.set(expected);
            }
        });
        thread.start();
        awaitCalls(Operation.TRY, 1);
        thread.interrupt();
        thread.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        ticker.advance(Duration.ofMillis(1));
        lease.close();
        assertThat(store.size()).isZero();
    }

    @Test
    void anInterruptBeforeTheCallSendsNothing() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiter.lock("a").acquire()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(network.calls(Operation.TRY)).isZero();
    }

    @Test
    void aSingleTryKeepsTheInterruptFlag() {
        Thread.currentThread().interrupt();
        assertThat(waiter.lock("a").tryAcquire()).isPresent();
        assertThat(Thread.interrupted()).isTrue();
    }

    private void awaitCalls(Operation operation, long calls) {
        while (network.calls(operation) < calls) {
            Thread.onSpinWait();
        }
    }

    /** A call in a thread of its own, which parks where {@link ManualTicker} sees it. */
    private static <T> FutureTask<T> inThread(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        new Thread(task).start();
        return task;
    }

    private void drive(Future<?> until) {
        while (!until.isDone()) {
            if (ticker.parked() > 0) {
                ticker.advance(Duration.ofMillis(50));
            }
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000_000})
    void aWaiterGetsTheLockFromAStoreThatTellsOfALeaseForCenturies(long seconds) throws Exception {
        LockBackend patient = new ForwardingBackend(new MemoryBackend(store)) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public Optional<Duration> retryAfter() {
                        return super.retryAfter().map(known -> Duration.ofSeconds(seconds, 999_999_999));
                    }
                };
            }
        };
        try (LockClient client = LockClient.builder(patient).ticker(ticker).build()) {
            Lease lease = holder.lock("a").acquire();
            BackgroundCall<Optional<Lease>> waiting =
                    BackgroundCall.start(() -> client.lock("a").tryAcquire(Duration.ofSeconds(20)));
            waiting.awaitWaiting();
            lease.close();
            await().until(() -> {
                ticker.advance(Duration.ofMillis(100));
                return waiting.isDone();
            });
            assertThat(waiting.get()).isPresent();
        }
    }
}
