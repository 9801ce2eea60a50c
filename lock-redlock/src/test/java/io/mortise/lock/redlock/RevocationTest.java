// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.AMPLE;
import static io.mortise.lock.redlock.Stores.LEASE;
import static io.mortise.lock.redlock.Stores.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R3: a majority of the members revokes a lock; fewer do not. */
class RevocationTest {
    private static final String LOCK = "lock";

    @Test
    void aHolderRevokedByAMajorityIsNeitherRenewedNorHealed() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = stores.heldByAll(quorum, LOCK);
            stores.store(2).pause();
            assertThat(quorum.revoke(LOCK, "stuck", false, AMPLE)).isTrue();
            for (int i = 0; i < 2; i++) {
                assertThat(victim.renew(LEASE, AMPLE)).isFalse();
                assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
                assertThat(victim.tryAcquire(AMPLE))
                        .as("not again by a repeated try")
                        .isFalse();
            }
            stores.store(2).resume();
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE))
                    .as("until its lease ends")
                    .isFalse();
        }
    }

    @Test
    void aRevocationByAMinorityIsUnknown() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = stores.heldByAll(quorum, LOCK);
            stores.store(0).pause();
            stores.store(1).pause();
            assertThatThrownBy(() -> quorum.revoke(LOCK, "stuck", false, AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContainingAll("store-0", "store-1");
            stores.store(0).resume();
            stores.store(1).resume();
            assertThat(victim.renew(LEASE, AMPLE)).isTrue();
        }
    }

    @Test
    void claimsOfAnotherRoundAreNotRevoked() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim other = stores.direct(0, LOCK);
            assertThat(other.tryAcquire(AMPLE)).isTrue();
            assertThat(quorum.revoke(LOCK, "nobody holds a majority", true, AMPLE))
                    .isFalse();
            Claim victim = claim(quorum, LOCK);
            assertThat(victim.tryAcquire(AMPLE)).isTrue();

            assertThat(quorum.revoke(LOCK, "dead", true, AMPLE)).isTrue();
            assertThat(other.renew(LEASE, AMPLE)).isTrue();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            Claim next = claim(quorum, LOCK);
            assertThat(next.tryAcquire(AMPLE)).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(victim.fencingToken());
        }
    }

    @Test
    void aRevokedHolderKeepsItsLeaseUnlessItIsRevokedAtOnce() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = stores.heldByAll(quorum, LOCK);
            assertThat(quorum.revoke(LOCK, "soon", false, AMPLE)).isTrue();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds()).isTrue();
            assertThat(quorum.renewAll(List.of(new Renewal(victim, LEASE)), AMPLE))
                    .containsExactly(Answer.NO);
            assertThat(victim.holdsUntilLeaseEnds()).as("in a batch").isTrue();

            assertThat(quorum.revoke(LOCK, "now", true, AMPLE)).isTrue();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds()).as("revoked at once").isFalse();
        }
    }

    @Test
    void aRevokedHolderIsInDoubtWhereAMemberHasForgottenIt() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = stores.heldByAll(quorum, LOCK);
            assertThat(quorum.revoke(LOCK, "soon", false, AMPLE)).isTrue();
            stores.store(1).delete(LOCK);
            stores.store(2).pause();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds()).isFalse();
            stores.store(2).resume();
        }
    }

    @Test
    void aRevokedHolderIsInDoubtWhereAMemberKeepsAnEarlierLease() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = stores.heldByAll(quorum, LOCK);
            stores.network(2).loseNextRequest(Operation.RENEW);
            assertThat(victim.renew(LEASE.multipliedBy(5), AMPLE)).isTrue();
            await("the others have renewed")
                    .until(() -> stores.leaseLeft(0, LOCK).compareTo(LEASE) > 0
                            && stores.leaseLeft(1, LOCK).compareTo(LEASE) > 0
                            && stores.network(2).ended(Operation.RENEW) == 1);
            assertThat(quorum.revoke(LOCK, "soon", false, AMPLE)).isTrue();
            stores.store(0).pause();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds())
                    .as("the third member keeps others out for a fifth of the lease")
                    .isFalse();
            stores.store(0).resume();
            stores.store(2).pause();
            assertThat(victim.renew(LEASE, AMPLE)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds())
                    .as("the others do for all of it")
                    .isTrue();
            stores.store(2).resume();
        }
    }
}
