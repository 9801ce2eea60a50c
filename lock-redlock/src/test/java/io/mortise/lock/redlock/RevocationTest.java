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
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import org.junit.jupiter.api.Test;

/** R3: a majority of the members revokes a lock; fewer do not. */
class RevocationTest {
    private static final String LOCK = "lock";

    @Test
    void aHolderRevokedByAMajorityIsNeitherRenewedNorHealed() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim victim = held(stores, quorum);
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
            Claim victim = held(stores, quorum);
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

    private static Claim held(Stores stores, RedlockBackend quorum) throws InterruptedException {
        Claim claim = claim(quorum, LOCK);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        await("all members have it")
                .until(() -> stores.isHeld(0, LOCK) && stores.isHeld(1, LOCK) && stores.isHeld(2, LOCK));
        return claim;
    }
}
