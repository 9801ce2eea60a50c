// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
}
