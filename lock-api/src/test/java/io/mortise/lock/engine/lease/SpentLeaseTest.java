// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The holder does not get the part of a lease that its claim says is spent. Leases last 30 s; 302 ms of each go to drift. */
@Timeout(20)
class SpentLeaseTest {
    private static final Duration FULL = Duration.ofMillis(29_698);
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final Map<String, Duration> spent = new ConcurrentHashMap<>();
    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final LockClient locks =
            LockClient.builder(new Spending()).ticker(ticker).build();
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final List<Duration> risks = new CopyOnWriteArrayList<>();
    private volatile boolean unanswering;

    @AfterEach
    void close() {
        unanswering = false;
        locks.close();
    }

    /** Memory, whose claims report the spent time that the test sets; renews in batches, or does not answer. */
    private final class Spending extends ForwardingBackend {
        private Spending() {
            super(new MemoryBackend(store));
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    tries.incrementAndGet();
                    return super.tryAcquire(atMost);
                }

                @Override
                public Duration leaseSpent() {
                    Duration told = spent.getOrDefault(request.lock(), Duration.ZERO);
                    if (told.isNegative()) {
                        throw new BackendException("a mistake of the backend", null);
                    }
                    return told;
                }
            };
        }

        @Override
        public List<Answer> renewAll(List<Renewal> asked, Duration atMost) {
            renewals.incrementAndGet();
            return unanswering ? Collections.nCopies(asked.size(), Answer.UNKNOWN) : renewOneByOne(asked, atMost);
        }
    }

    private Lease hold(String name, LockOptions options) throws InterruptedException {
        return locks.lock(name, options).acquire().onAtRisk(risks::add).onLost(losses::add);
    }

    private void renew(Duration wait, Lease... leases) {
        int before = renewals.get();
        ticker.advance(wait);
        await().until(() -> renewals.get() > before);
        for (Lease lease : leases) {
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(9)) > 0);
        }
    }

    @Test
    void aGrantIsGoodForTheLeaseLessWhatIsSpent() throws Exception {
        spent.put("a", Duration.ofSeconds(12));
        Lease lease = hold("a", OPTIONS.withRenewal(false));

        assertThat(lease.remaining()).isEqualTo(FULL.minusSeconds(12));
        ticker.advance(FULL.minusSeconds(12).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        ticker.advance(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
        await().untilAsserted(() -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED));
    }

    @Test
    void renewalAndRiskComeAtThirdsOfWhatIsLeft() throws Exception {
        spent.put("a", Duration.ofSeconds(21));
        Lease lease = hold("a", OPTIONS);
        unanswering = true;
        ticker.advance(Duration.ofMillis(2_699));
        assertThat(renewals).hasValue(0);
        renew(Duration.ofMillis(301));
        assertThat(risks).isEmpty();
        ticker.advance(Duration.ofSeconds(3));
        await().untilAsserted(() -> assertThat(risks).hasSize(1));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aGrantWithNothingLeftIsNoAnswer() {
        spent.put("a", FULL);
        FutureTask<Optional<Lease>> call =
                new FutureTask<>(() -> locks.lock("a", OPTIONS).tryAcquire(Duration.ofSeconds(7)));
        new Thread(call).start();
        while (!call.isDone()) {
            if (ticker.parked() > 0) {
                ticker.advance(Duration.ofMillis(50));
            }
            Thread.onSpinWait();
        }
        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("the lease was over");
        // How often depends on how late the thread wakes; that it tried again does not.
        assertThat(tries).hasValueBetween(2, 140);
        await().until(() -> locks.lock("a").holder().isEmpty());
    }

    @Test
    void aSingleTryEndsIfEveryGrantHasNothingLeft() {
        spent.put("a", FULL);
        CompletableFuture<Optional<Lease>> call =
                CompletableFuture.supplyAsync(() -> locks.lock("a", OPTIONS).tryAcquire());
        while (!call.isDone()) {
            ticker.advance(Duration.ofMillis(100));
        }
        assertThatThrownBy(call::get).cause().isInstanceOf(LockStoreException.class);
        await().until(() -> locks.lock("a").holder().isEmpty());
    }

    @Test
    void aWaiterTriesAgainAfterAGrantWithNothingLeft() throws Exception {
        spent.put("a", Duration.ofDays(100_000));
        CompletableFuture<Lease> waiting = locks.lock("a", OPTIONS).acquireAsync();
        await().until(() -> tries.get() == 1);
        spent.remove("a");
        ticker.awaitParked(1);
        ticker.advance(Duration.ofMillis(20));
        assertThat(waiting.get().remaining()).isEqualTo(FULL);
        assertThat(tries).hasValue(2);
    }

    @Test
    void eachClaimOfABatchHasItsOwnSpentTime() throws Exception {
        Lease one = hold("one", OPTIONS);
        Lease two = hold("two", OPTIONS);
        spent.put("one", Duration.ofSeconds(5));
        spent.put("two", Duration.ofSeconds(14));
        renew(Duration.ofSeconds(10), one, two);

        await().untilAsserted(() -> assertThat(one.remaining()).isEqualTo(FULL.minusSeconds(5)));
        await().untilAsserted(() -> assertThat(two.remaining()).isEqualTo(FULL.minusSeconds(14)));
        assertThat(renewals).hasValue(1);
    }

    @Test
    void aRenewalCanShortenALease() throws Exception {
        Lease lease = hold("a", OPTIONS);
        spent.put("a", Duration.ofSeconds(28));
        int before = renewals.get();
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> renewals.get() > before);
        await().untilAsserted(() -> assertThat(lease.remaining()).isEqualTo(FULL.minusSeconds(28)));
        unanswering = true;
        ticker.advance(FULL.minusSeconds(28));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aRenewalWithNothingLeftEndsTheLease() throws Exception {
        Lease lease = hold("a", OPTIONS);
        spent.put("a", Duration.ofSeconds(30));
        ticker.advance(Duration.ofSeconds(10));

        await().until(() -> !lease.isHeld());
        await().untilAsserted(() -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED));
    }

    @Test
    void aLeaseWithLittleLeftIsNotHandedOver() throws Exception {
        LockOptions options = OPTIONS.withLocalHandOvers(3);
        for (long seconds : new long[] {9, 11}) {
            spent.put("a", Duration.ofSeconds(seconds));
            int before = tries.get();
            Lease first = locks.lock("a", options).acquire();
            ticker.awaitParked(1);
            CompletableFuture<Lease> next = locks.lock("a", options).acquireAsync();
            first.close();

            assertThat(next.get().remaining()).isEqualTo(FULL.minusSeconds(seconds));
            assertThat(tries.get() - before).isEqualTo(seconds == 9 ? 1 : 2);
            next.get().close();
        }
    }

    @Test
    void aClaimThatThrowsFailsOnlyItsOwnRenewal() throws Exception {
        Lease lease = hold("a", OPTIONS);
        spent.put("a", Duration.ofSeconds(-1));
        renew(Duration.ofSeconds(10));
        spent.remove("a");
        renew(Duration.ofSeconds(5), lease);

        await().until(() -> lease.remaining().compareTo(FULL.minusSeconds(1)) > 0);
        assertThat(losses).isEmpty();
    }
}
