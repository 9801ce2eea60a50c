// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.AMPLE;
import static io.mortise.lock.redlock.Stores.LEASE;
import static io.mortise.lock.redlock.Stores.claim;
import static io.mortise.lock.redlock.Stores.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P5: members whose leases began before they were asked, as the leases of a session do. */
class LeaseSpentTest {
    @Test
    void theSpentTimeIsThatOfAMajority() throws Exception {
        try (RedlockBackend quorum = quorum(Duration.ofSeconds(40), Duration.ofSeconds(10), Duration.ofSeconds(10))) {
            Claim claim = claim(quorum, "lock");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.leaseSpent()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(40));
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            assertThat(claim.leaseSpent()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(40));
        }
    }

    @Test
    void aGrantWithNoTimeLeftAtAMajorityFails() throws Exception {
        try (RedlockBackend quorum = quorum(LEASE, Duration.ZERO, LEASE)) {
            Claim claim = claim(quorum, "lock");
            assertThatThrownBy(() -> claim.tryAcquire(AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("when its lease was over");
            assertThat(claim.renew(LEASE, AMPLE)).isFalse();
        }
    }

    @Test
    void theDriftAllowanceIsSubtracted() throws Exception {
        Duration lease = Duration.ofHours(1);
        try (RedlockBackend quorum = quorum(lease.minusSeconds(60), lease.minusSeconds(60), Duration.ZERO)) {
            assertThat(quorum.claim(request("lock", lease), () -> {}).tryAcquire(AMPLE))
                    .as("a hundredth is 36 seconds")
                    .isTrue();
        }
        try (RedlockBackend quorum = quorum(lease.minusSeconds(30), lease.minusSeconds(30), Duration.ZERO)) {
            Claim claim = quorum.claim(request("lock", lease), () -> {});
            assertThatThrownBy(() -> claim.tryAcquire(AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("when its lease was over");
        }
    }

    @Test
    void aLeaseThatEndsWhileItsTokenIsRaisedIsNotHeldByOthers() throws Exception {
        Duration lease = Duration.ofMillis(50);
        Stores stores = new Stores(3);
        // So that the tokens differ, though all members are asked for the same: one has given greater ones already.
        Claim earlier = stores.direct(0)
                .claim(new ClaimRequest("lock", Stores.owner(), "test", LEASE, false, 1L << 51, 1), () -> {});
        assertThat(earlier.tryAcquire(AMPLE)).isTrue();
        assertThat(earlier.release(AMPLE)).isTrue();
        try (RedlockBackend quorum = stores.quorum(RedlockBackend.builder(), SlowToRaise::new)) {
            Claim claim = quorum.claim(request("lock", lease), () -> {});
            assertThatThrownBy(() -> claim.tryAcquire(AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContainingAll("before its token was raised", "a lease of 50 ms may be too short");
            assertThat(claim.renew(lease, AMPLE)).isFalse();
        }
    }

    /** Raises tokens when the lease is over. */
    private static final class SlowToRaise extends ForwardingBackend {
        SlowToRaise(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean raiseToken(long token, Duration atMost) {
                    await("the lease is over").atMost(AMPLE).until(() -> SlowToRaise.this
                            .inner()
                            .inspect(request.lock(), AMPLE)
                            .isEmpty());
                    return super.raiseToken(token, atMost);
                }
            };
        }
    }

    private static RedlockBackend quorum(Duration... spent) {
        Deque<Duration> each = new ArrayDeque<>(List.of(spent));
        return new Stores(spent.length).quorum(RedlockBackend.builder(), member -> new Late(member, each.remove()));
    }

    /** A member that reports some time of each lease as spent. */
    private static final class Late extends ForwardingBackend {
        private final Duration spent;

        Late(LockBackend inner, Duration spent) {
            super(inner);
            this.spent = spent;
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public Duration leaseSpent() {
                    return spent;
                }
            };
        }
    }
}
