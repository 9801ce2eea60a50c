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
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RenewerTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().lease(Duration.ofSeconds(2));

    private final MemoryBackend inner = new MemoryBackend(new MemoryStore(Ticker.system()));

    /** Renews like {@code renewal}; everything else goes to memory. */
    private LockBackend backend(Renewal renewal) {
        return new ForwardingBackend(inner) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean renew(Duration atMost) {
                        return renewal.renew(request.lock(), inner(), atMost);
                    }
                };
            }

            @Override
            public List<Answer> renewAll(List<? extends Claim> claims, Duration atMost) {
                return renewOneByOne(claims, atMost);
            }
        };
    }

    interface Renewal {
        boolean renew(String lock, Claim claim, Duration atMost);
    }

    @Test
    void oneUnansweredLockLosesNoOther() throws Exception {
        LockBackend backend = backend((lock, claim, atMost) -> {
            if (lock.equals("lock 7")) {
                try {
                    TimeUnit.NANOSECONDS.sleep(atMost.toNanos());
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
                throw new BackendException("no answer in " + atMost, null);
            }
            return claim.renew(atMost);
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
    void anErrorInOneBatchEndsNoRenewal() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        LockBackend backend = backend((lock, claim, atMost) -> {
            if (failures.incrementAndGet() == 1) {
                throw new StackOverflowError("a backend's own mistake");
            }
            if (failures.get() == 2) {
                throw new IllegalStateException("another");
            }
            return claim.renew(atMost);
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
        List<Claim> claims = new ArrayList<>();
        LockBackend backend = backend((lock, claim, atMost) -> {
            given.add(atMost.toMillis());
            if (lock.equals("1")) {
                throw new BackendException("no answer", null);
            }
            return lock.equals("2");
        });
        for (int i = 0; i < 4; i++) {
            claims.add(backend.claim(
                    new ClaimRequest(Integer.toString(i), "o", "", Duration.ofSeconds(1), false, 0, 1), () -> {}));
        }
        assertThat(backend.renewAll(claims, Duration.ofSeconds(100)))
                .containsExactly(Answer.NO, Answer.UNKNOWN, Answer.YES, Answer.NO);
        assertThat(given.subList(0, 3)).allMatch(millis -> millis <= 50_001);
        assertThat(given.get(3)).isGreaterThan(50_001);
    }
}
