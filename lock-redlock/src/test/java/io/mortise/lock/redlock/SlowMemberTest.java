// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.AMPLE;
import static io.mortise.lock.redlock.Stores.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** P6: an answer that a member still owes blocks neither the next question to it nor those to other members. */
class SlowMemberTest {
    private static final String LOCK = "lock";

    /** Holds releases back until the gate is open. */
    private static final class SlowToRelease extends ForwardingBackend {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        SlowToRelease(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean release(Duration atMost) {
                    asked.countDown();
                    await().atMost(AMPLE).until(() -> gate.getCount() == 0);
                    return super.release(atMost);
                }
            };
        }
    }

    /** Answers a try late, when it has granted the lock. */
    private static final class SlowToGrant extends ForwardingBackend {
        private volatile Duration pause = Duration.ZERO;

        SlowToGrant(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    boolean granted = super.tryAcquire(atMost);
                    LockSupport.parkNanos(pause.toNanos());
                    return granted;
                }
            };
        }
    }

    /** Tells another token than it gave, as a member does that a try has reached late; and maybe takes its time. */
    private static final class Telling extends ForwardingBackend {
        private final Duration pause;
        private volatile long token;

        Telling(LockBackend inner, Duration pause) {
            super(inner);
            this.pause = pause;
        }

        @Override
        public Optional<LockHolder> inspect(String lock, Duration atMost) {
            LockSupport.parkNanos(pause.toNanos());
            return super.inspect(lock, atMost)
                    .map(holder -> new LockHolder(
                            holder.lock(),
                            holder.label(),
                            token,
                            holder.heldFor(),
                            holder.remaining(),
                            holder.waiters(),
                            holder.revocationReason()));
        }
    }

    @Test
    void theTokenThatAMajorityGivesIsTheOneOfTheLease() throws Exception {
        assertThat(tokenOverLast(5, 0)).isEqualTo(1);
    }

    @Test
    void theGreatestTokenIsTheOneOfTheLeaseIfNoMajorityGivesTheSame() throws Exception {
        assertThat(tokenOverLast(5, 9)).isEqualTo(10);
    }

    /**
     * The token that a lease gets and everybody is told, above the last token of the first of three members.
     *
     * @param second how much greater the last token of the second member is
     * @param slow how much greater that of the third is, which answers when the others have long answered
     */
    private static long tokenOverLast(long second, long slow) throws Exception {
        Stores stores = new Stores(3);
        // Ahead of the members' clocks.
        long last = 1_000_000 * (Instant.now().getEpochSecond() + 3_600);
        long[] ahead = {0, second, slow};
        for (int i = 0; i < ahead.length; i++) {
            Claim before = stores.direct(i)
                    .claim(new ClaimRequest(LOCK, Stores.owner(), "", AMPLE, false, last + ahead[i] - 1, 1), () -> {});
            assertThat(before.tryAcquire(AMPLE)).isTrue();
            assertThat(before.fencingToken()).isEqualTo(last + ahead[i]);
            assertThat(before.release(AMPLE)).isTrue();
        }
        SlowToGrant third = new SlowToGrant(stores.direct(2));
        try (RedlockBackend quorum = quorum(List.of(stores.direct(0), stores.direct(1), third))) {
            assertThat(claim(quorum, "all members answer this").tryAcquire(AMPLE))
                    .isTrue();
            third.pause = Duration.ofMillis(200);
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();

            assertThat(quorum.inspect(LOCK, AMPLE).orElseThrow().fencingToken()).isEqualTo(claim.fencingToken());
            return claim.fencingToken() - last;
        }
    }

    @Test
    void aSlowMemberDecidesWhichTokenIsTold() throws Exception {
        Stores stores = new Stores(3);
        Duration brief = Duration.ofMillis(200);
        Telling holders = new Telling(stores.direct(0), Duration.ZERO);
        Telling late = new Telling(stores.direct(1), Duration.ZERO);
        Telling slow = new Telling(stores.direct(2), brief.multipliedBy(2));
        try (RedlockBackend quorum =
                Stores.ours(RedlockBackend.builder().memberTimeout(brief), List.of(holders, late, slow))) {
            Claim claim = claim(quorum, LOCK);
            await().until(() -> claim.tryAcquire(AMPLE));
            await("all members have it").until(() -> stores.isHeld(2, LOCK));
            holders.token = claim.fencingToken();
            late.token = claim.fencingToken() + 5;
            slow.token = claim.fencingToken();

            assertThat(quorum.inspect(LOCK, AMPLE).orElseThrow().fencingToken()).isEqualTo(claim.fencingToken());
        }
    }

    private static RedlockBackend quorum(List<LockBackend> members) {
        return Stores.ours(RedlockBackend.builder().memberTimeout(AMPLE), members);
    }

    @Test
    void aMemberIsAskedAfterItsLateRelease() throws Exception {
        Stores stores = new Stores(3);
        SlowToRelease slow = new SlowToRelease(stores.direct(2));
        try (RedlockBackend quorum = quorum(List.of(stores.direct(0), stores.direct(1), slow))) {
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            long high = claim.fencingToken() + 1_000_000_000_000L;
            assertThat(claim.release(AMPLE)).as("by the two others").isTrue();
            slow.asked.await();

            assertThat(claim.raiseToken(high, AMPLE)).isFalse();
            slow.gate.countDown();

            await().until(() -> !stores.isHeld(2, LOCK));
            Claim next = stores.direct(2, LOCK);
            assertThat(next.tryAcquire(AMPLE)).isTrue();
            assertThat(next.fencingToken()).isLessThan(high);
        }
    }

    @Test
    void aClientIsNotRefusedByItsOwnLateRelease() throws Exception {
        Stores stores = new Stores(3);
        SlowToRelease slow = new SlowToRelease(stores.direct(2));
        try (RedlockBackend quorum = quorum(List.of(stores.direct(0), stores.direct(1), slow))) {
            Claim first = claim(quorum, LOCK);
            assertThat(first.tryAcquire(AMPLE)).isTrue();
            await("all members have it").until(() -> stores.isHeld(2, LOCK));
            assertThat(first.release(AMPLE)).as("by the two others").isTrue();
            slow.asked.await();
            assertThat(stores.direct(0, LOCK).tryAcquire(AMPLE)).isTrue();
            Thread opener = new Thread(() -> {
                await().until(() -> stores.isHeld(1, LOCK));
                slow.gate.countDown();
            });

            opener.start();
            boolean granted = claim(quorum, LOCK).tryAcquire(AMPLE);
            opener.join();

            assertThat(granted).as("members 1 and 2 are free").isTrue();
        }
    }

    @Test
    void aRoundWithAnUncountedMajorityWaitsForLeftovers() throws Exception {
        Stores stores = new Stores(5);
        Claim leftover = stores.direct(0, LOCK);
        assertThat(leftover.tryAcquire(AMPLE)).isTrue();
        List<LockBackend> members = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Duration ago = i < 3 ? Duration.ofHours(i + 1) : Duration.ofSeconds(1);
            members.add(new Started(stores.direct(i), "run-" + i, ago, leftover, () -> true));
        }
        try (RedlockBackend quorum = quorum(members)) {
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE))
                    .as("by members 0 to 2, which have a vote")
                    .isTrue();
        }
    }

    @Test
    void aTryThatLeftoversRefuseAsksAgain() throws Exception {
        Stores stores = new Stores(3);
        List<LockBackend> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Claim leftover = stores.direct(i, LOCK);
            assertThat(i == 2 || leftover.tryAcquire(AMPLE)).isTrue();
            BooleanSupplier theLastHasSaidYes = () -> stores.isHeld(2, LOCK);
            members.add(new Started(stores.direct(i), "run-" + i, Duration.ofHours(1), leftover, theLastHasSaidYes));
        }
        try (RedlockBackend quorum = quorum(members)) {
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE))
                    .as("refused by two of three, which are free a moment later")
                    .isTrue();
        }
    }

    /** Tells when it was started. The claim that is in the way is released as soon as it has refused a try, which it tells then. */
    private static final class Started extends ForwardingBackend {
        private final StoreIncarnation incarnation;
        private final Claim inTheWay;
        private final BooleanSupplier refuses;

        /** @param refuses whether it tells by now that it has refused */
        Started(LockBackend inner, String id, Duration ago, Claim inTheWay, BooleanSupplier refuses) {
            super(inner);
            incarnation = new StoreIncarnation(id, System.nanoTime() - ago.toNanos(), 0);
            this.inTheWay = inTheWay;
            this.refuses = refuses;
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    boolean granted = super.tryAcquire(atMost);
                    if (!granted) {
                        inTheWay.release(AMPLE);
                        await().atMost(AMPLE).until(refuses::getAsBoolean);
                    }
                    return granted;
                }

                @Override
                public Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
                    return Optional.of(incarnation);
                }
            };
        }
    }

    @Test
    void questionsWhoseTimeIsOverAreNotAsked() throws Exception {
        Duration slowness = Duration.ofMillis(100);
        Stores stores = new Stores(3);
        AtomicInteger questions = new AtomicInteger();
        int rounds = 1_000;
        List<LockBackend> members =
                List.of(stores.direct(0), stores.direct(1), new Slow(stores.direct(2), slowness, questions));
        RedlockBackendBuilder builder =
                RedlockBackend.builder().memberTimeout(slowness.multipliedBy(3)).fencing(false);
        try (RedlockBackend quorum = Stores.ours(builder, members)) {
            assertThat(claim(quorum, "all are met").tryAcquire(AMPLE)).isTrue();
            for (int i = 0; i < rounds; i++) {
                Claim claim = claim(quorum, LOCK);
                assertThat(claim.tryAcquire(AMPLE) && claim.release(AMPLE)).isTrue();
            }
            AtomicInteger before = new AtomicInteger();
            await("it is asked no more")
                    .pollInterval(slowness.multipliedBy(3))
                    .atMost(AMPLE)
                    .until(() -> before.getAndSet(questions.get()) == questions.get());
            assertThat(questions).hasValueLessThan(rounds);
        }
    }

    /** Answers late. */
    private static final class Slow extends ForwardingBackend {
        private final Duration slowness;
        private final AtomicInteger questions;

        Slow(LockBackend inner, Duration slowness, AtomicInteger questions) {
            super(inner);
            this.slowness = slowness;
            this.questions = questions;
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    dawdle();
                    return super.tryAcquire(atMost);
                }

                @Override
                public boolean release(Duration atMost) {
                    dawdle();
                    return super.release(atMost);
                }
            };
        }

        private void dawdle() {
            questions.incrementAndGet();
            long end = System.nanoTime() + slowness.toNanos();
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
        }
    }
}
