// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.SettlingTicker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RenewerTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(2));

    private final MemoryBackend inner = new MemoryBackend(new MemoryStore(Ticker.system()));

    /** Renews like {@code answers}; everything else goes to memory. */
    private LockBackend backend(RenewalAnswers answers) {
        return new ForwardingBackend(inner) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean renew(Duration lease, Duration atMost) {
                        return answers.renew(request.lock(), inner(), lease, atMost);
                    }
                };
            }

            @Override
            public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
                return renewOneByOne(renewals, atMost);
            }
        };
    }

    interface RenewalAnswers {
        boolean renew(String lock, Claim claim, Duration lease, Duration atMost);
    }

    @Test
    void oneUnansweredLockLosesNoOther() throws Exception {
        LockBackend backend = backend((lock, claim, lease, atMost) -> {
            if (lock.equals("lock 7")) {
                try {
                    TimeUnit.NANOSECONDS.sleep(atMost.toNanos());
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
                throw new BackendException("no answer in " + atMost, null);
            }
            return claim.renew(lease, atMost);
        });
        try (LockClient locks = LockClient.builder(backend).build()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                leases.add(locks.lock("lock " + i, OPTIONS).acquire());
            }
            Lease unanswered = leases.remove(7);
            await().atMost(Duration.ofSeconds(10)).until(() -> !unanswered.isHeld());
            await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(10)).until(() -> leases.stream()
                    .allMatch(Lease::isHeld));
        }
    }

    @Test
    void aBatchThatHangsDoesNotHoldUpTheNext() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        LockBackend backend = backend((lock, claim, lease, atMost) -> {
            if (lock.equals("hangs")) {
                try {
                    end.await();
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
            }
            return claim.renew(lease, atMost);
        });
        try (LockClient locks = LockClient.builder(backend).build()) {
            Lease hanging = locks.lock("hangs", OPTIONS).acquire();
            await().until(() -> hanging.remaining().compareTo(Duration.ofMillis(1_200)) < 0);
            Lease other = locks.lock("other", OPTIONS).acquire();
            await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(10)).until(other::isHeld);
            assertThat(hanging.isHeld()).isFalse();
            end.countDown();
        }
    }

    @Test
    void anErrorInOneBatchEndsNoRenewal() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        LockBackend backend = backend((lock, claim, lease, atMost) -> {
            if (failures.incrementAndGet() == 1) {
                throw new StackOverflowError("a backend's own mistake");
            }
            if (failures.get() == 2) {
                throw new IllegalStateException("another");
            }
            return claim.renew(lease, atMost);
        });
        try (LockClient locks = LockClient.builder(backend).build()) {
            Lease lease = locks.lock("a", OPTIONS).acquire();
            await().atMost(Duration.ofSeconds(10)).until(() -> failures.get() > 4);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void renewedOneByOneEachClaimGetsAtMostHalfOfTheTimeLeft() {
        List<Long> given = new ArrayList<>();
        List<Renewal> renewals = new ArrayList<>();
        LockBackend backend = backend((lock, claim, lease, atMost) -> {
            given.add(atMost.toMillis());
            if (lock.equals("1")) {
                throw new BackendException("no answer", null);
            }
            return lock.equals("2");
        });
        for (int i = 0; i < 4; i++) {
            ClaimRequest request = new ClaimRequest(Integer.toString(i), "o", "", Duration.ofSeconds(1), false, 0, 1);
            renewals.add(new Renewal(backend.claim(request, () -> {}), request.lease()));
        }
        assertThat(backend.renewAll(renewals, Duration.ofSeconds(100)))
                .containsExactly(Answer.NO, Answer.UNKNOWN, Answer.YES, Answer.NO);
        assertThat(given.subList(0, 3)).allMatch(millis -> millis <= 50_001);
        assertThat(given.get(3)).isGreaterThan(50_001);
    }

    /** A store of two shards. That of the locks whose names begin with "bad" hangs, and each call that asks it takes its whole time. */
    private static final class Shards extends ForwardingBackend {
        private final SettlingTicker ticker;
        private final Map<String, Claim> claims = new ConcurrentHashMap<>();
        /** Those whose next renewal reaches the store, and its reply is lost. */
        private final Set<Claim> unlucky = ConcurrentHashMap.newKeySet();
        /** Those whose last reply was lost, and when. */
        private final Map<Claim, Long> unanswered = new ConcurrentHashMap<>();
        /** The calls that wait for a reply until they are over, by what they ask for. */
        private final Set<Set<Claim>> waiting = ConcurrentHashMap.newKeySet();

        private volatile boolean ended;

        private Shards(SettlingTicker ticker) {
            super(new MemoryBackend(new MemoryStore(ticker)));
            this.ticker = ticker;
        }

        private static boolean isBad(String lock) {
            return lock.startsWith("bad");
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            Claim claim = inner().claim(request, nudge);
            claims.put(request.lock(), claim);
            return claim;
        }

        void loseTheNextReplyOfEachGoodOne() {
            claims.forEach((lock, claim) -> {
                if (!isBad(lock)) {
                    unlucky.add(claim);
                }
            });
        }

        @Override
        public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            long end = ticker.nanos() + atMost.toNanos();
            Set<Claim> asked = renewals.stream().map(Renewal::claim).collect(Collectors.toSet());
            Set<Claim> hanging = claims.entrySet().stream()
                    .filter(claim -> isBad(claim.getKey()))
                    .map(Map.Entry::getValue)
                    .filter(asked::contains)
                    .collect(Collectors.toSet());
            Set<Claim> lost = new HashSet<>(hanging);
            List<Answer> answers = new ArrayList<>();
            for (Renewal renewal : renewals) {
                boolean isRenewed =
                        !hanging.contains(renewal.claim()) && renewal.claim().renew(renewal.lease(), atMost);
                if (unlucky.remove(renewal.claim())) {
                    lost.add(renewal.claim());
                }
                answers.add(lost.contains(renewal.claim()) ? Answer.UNKNOWN : isRenewed ? Answer.YES : Answer.NO);
            }
            if (!lost.isEmpty()) {
                waiting.add(asked);
                while (!ended && end - ticker.nanos() > 0) {
                    ticker.parkUntil(this, end);
                }
            }
            asked.forEach(unanswered::remove);
            lost.forEach(claim -> unanswered.put(claim, ticker.nanos()));
            waiting.remove(asked);
            return answers;
        }

        /** Whether this lease needs time to pass: it is not due yet, is asked for, or waits for a call that others are in. */
        boolean needsTime(Lease lease, Duration length) {
            Claim claim = claims.get(lease.lockName());
            Long lost = unanswered.get(claim);
            boolean isBeforeItsTurn = lost == null
                    ? lease.remaining().compareTo(length.dividedBy(2)) > 0
                    : ticker.nanos() - lost <= length.dividedBy(8).toNanos();
            // One call at a time asks for those whose last reply was lost.
            return isBeforeItsTurn
                    || waiting.size() == 2
                    || waiting.stream()
                            .anyMatch(asked -> asked.contains(claim)
                                    || (lost != null && asked.stream().anyMatch(unanswered::containsKey)));
        }
    }

    /**
     * Two hundred locks on the shard that hangs, and ten on the other whose leases are a thirtieth as long: none of these is lost
     * until the leases of the others end.
     */
    private static void oneOfTwoShardsHangs(Duration badLease, boolean losesReplies) throws Exception {
        SettlingTicker ticker = new SettlingTicker();
        Shards shards = new Shards(ticker);
        Duration step = badLease.dividedBy(600);
        Duration goodLease = badLease.dividedBy(30);
        try (LockClient locks = LockClient.builder(shards).ticker(ticker).build()) {
            List<Lease> bad = new ArrayList<>();
            List<Lease> good = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                bad.add(locks.lock("bad " + i, OPTIONS.withLease(badLease)).acquire());
            }
            for (int i = 0; i < 10; i++) {
                good.add(locks.lock("good " + i, OPTIONS.withLease(goodLease)).acquire());
            }
            for (int i = 0; i < 590; i++) {
                if (losesReplies && i % 60 == 0) {
                    shards.loseTheNextReplyOfEachGoodOne();
                }
                ticker.advance(step);
                ticker.settleClients();
                // A thread that was given work a moment ago may look idle: it gets real time, unless time itself must
                // pass.
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() ->
                                good.stream().allMatch(lease -> !lease.isHeld() || shards.needsTime(lease, goodLease)));
                assertThat(good).as("the other shard's after %s steps", i + 1).allMatch(Lease::isHeld);
            }
            assertThat(bad)
                    .as("never renewed")
                    .allMatch(lease -> lease.remaining().compareTo(goodLease) < 0);
            shards.ended = true;
            ticker.advance(Duration.ofSeconds(2));
        }
    }

    @Test
    void aShardThatHangsLosesNoLeaseOfAnother() throws Exception {
        oneOfTwoShardsHangs(Duration.ofMinutes(10), false);
    }

    @Test
    void aShardThatHangsLosesNoLeaseOfAnotherThatIsNoLongerThanACall() throws Exception {
        oneOfTwoShardsHangs(Duration.ofMinutes(1), false);
    }

    @Test
    void aShardThatHangsLosesNoLeaseWhoseLastReplyWasLost() throws Exception {
        oneOfTwoShardsHangs(Duration.ofMinutes(10), true);
    }
}
