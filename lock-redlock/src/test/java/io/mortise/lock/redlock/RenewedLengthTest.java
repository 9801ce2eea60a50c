// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.AMPLE;
import static io.mortise.lock.redlock.Stores.LEASE;
import static io.mortise.lock.redlock.Stores.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renewals to another length than that of the grant, and what counts from the grant all the same. */
class RenewedLengthTest {
    private static final String LOCK = "lock";
    private static final Duration LONG = LEASE.multipliedBy(10);
    private static final Duration SHORT = LEASE.dividedBy(4);

    @Test
    void allMembersGetTheLengthLongerOrShorter() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = held(stores, quorum, LOCK);
            for (Duration length : List.of(LONG, SHORT, LEASE.multipliedBy(2))) {
                assertThat(claim.renew(length, AMPLE)).isTrue();
                await("all members renew").until(() -> leasesAreBetween(stores, LOCK, length.minus(SHORT), length));
                assertThat(quorum.inspect(LOCK, AMPLE).orElseThrow().remaining().orElseThrow())
                        .isBetween(length.minus(SHORT), length);
            }
        }
    }

    @Test
    void aBatchHasALengthForEachClaim() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim one = held(stores, quorum, "one");
            Claim other = held(stores, quorum, "other");
            assertThat(quorum.renewAll(List.of(new Renewal(one, LONG), new Renewal(other, SHORT)), AMPLE))
                    .containsExactly(Answer.YES, Answer.YES);
            await("all members renew")
                    .until(() -> leasesAreBetween(stores, "one", LONG.minus(LEASE), LONG)
                            && leasesAreBetween(stores, "other", Duration.ZERO, SHORT));
        }
    }

    @Test
    void aMemberThatForgotIsGivenTheLengthOfTheRenewal() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = held(stores, quorum, LOCK);
            stores.store(0).delete(LOCK);
            assertThat(claim.renew(LONG, AMPLE)).isTrue();
            await("it is healed").until(() -> leasesAreBetween(stores, LOCK, LONG.minus(LEASE), LONG));
        }
    }

    @Test
    void aRenewalSlowerThanItsOwnLengthIsUnknown() throws Exception {
        Stores stores = new Stores(3);
        Duration brief = Duration.ofMillis(500);
        try (RedlockBackend quorum = stores.quorum(RedlockBackend.builder().memberTimeout(AMPLE), backend -> backend)) {
            Claim claim = held(stores, quorum, LOCK);
            for (int i = 0; i < 3; i++) {
                stores.network(i).delayNextReply(Operation.RENEW, brief);
            }
            assertThatThrownBy(() -> claim.renew(brief, AMPLE.multipliedBy(4))).isInstanceOf(BackendException.class);
        }
    }

    @Test
    void whatAShorterRenewalMayTakeAwayLateIsSpent() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = held(stores, quorum, LOCK);
            stores.network(0).holdUpNextRequest(Operation.RENEW);
            assertThat(claim.renew(SHORT, AMPLE)).as("by the other two").isTrue();
            stores.store(2).pause();
            await("the first and the second member answer").ignoreExceptions().until(() -> claim.renew(LONG, AMPLE));
            assertThat(claim.leaseSpent()).isEqualTo(LONG.minus(SHORT));

            assertThat(stores.network(0).deliverHeldUp()).isEqualTo(1);
            assertThat(stores.leaseLeft(0, LOCK)).as("at the first member").isLessThanOrEqualTo(SHORT);
            stores.store(2).resume();
        }
    }

    @Test
    void aMemberIsAskedToRenewAgainOnlyWhenItHasAnswered() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum(RedlockBackend.builder().memberTimeout(AMPLE), backend -> backend)) {
            Claim claim = held(stores, quorum, LOCK);
            stores.store(0).pause();
            assertThat(claim.renew(SHORT, AMPLE.multipliedBy(4))).isTrue();
            await("it is asked").until(() -> stores.network(0).calls(Operation.RENEW) == 1);
            assertThat(claim.renew(LONG, AMPLE.multipliedBy(4))).isTrue();
            assertThat(stores.network(0).calls(Operation.RENEW)).isEqualTo(1);
            stores.store(0).resume();
            await("it is asked in order")
                    .until(() -> stores.network(0).calls(Operation.RENEW) == 2
                            && stores.leaseLeft(0, LOCK).compareTo(LEASE) > 0);
        }
    }

    /** The members' clock stands still, so what they count themselves is nothing. */
    @Test
    void theTimeHeldCountsFromTheGrantThoughEveryMemberWasHealed() throws Exception {
        Stores stores = new Stores(3, new ManualTicker());
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = held(stores, quorum, LOCK);
            long granted = System.nanoTime();
            Duration least = Duration.ofMillis(50);
            await().until(() -> System.nanoTime() - granted > least.toNanos());
            for (int i = 0; i < 3; i++) {
                int member = i;
                stores.store(member).delete(LOCK);
                await("it is healed").until(() -> claim.renew(LEASE, AMPLE) && stores.isHeld(member, LOCK));
            }
            assertThat(quorum.inspect(LOCK, AMPLE).orElseThrow().heldFor()).isGreaterThanOrEqualTo(least);
            assertThat(quorum.inspect(LOCK, AMPLE).orElseThrow().label()).isEqualTo("test");
        }
    }

    @Test
    void locksOutliveTheirHoldersOnlyIfTheyDoAtAllMembers() {
        Duration session = Duration.ofSeconds(40);
        LeaseBounds ofSessions = new LeaseBounds(Duration.ofMillis(1), Duration.ofSeconds(30), session);
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            assertThat(quorum.leaseBounds().outlivesHolder()).isTrue();
        }
        List<LockBackend> members = stores.members();
        try (RedlockBackend quorum = Stores.ours(
                RedlockBackend.builder(),
                List.of(members.get(0), members.get(1), new ForwardingBackend(members.get(2)) {
                    @Override
                    public LeaseBounds leaseBounds() {
                        return ofSessions;
                    }
                }))) {
            assertThat(quorum.leaseBounds()).isEqualTo(ofSessions);
            assertThat(quorum.leaseBounds().outlivesHolder()).isFalse();
        }
    }

    private static Claim held(Stores stores, RedlockBackend quorum, String lock) throws InterruptedException {
        Claim claim = claim(quorum, lock);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        await("all members have it").until(() -> leasesAreBetween(stores, lock, Duration.ofNanos(1), LEASE));
        return claim;
    }

    private static boolean leasesAreBetween(Stores stores, String lock, Duration least, Duration most) {
        for (int i = 0; i < 3; i++) {
            Duration left = stores.leaseLeft(i, lock);
            if (left.compareTo(least) < 0 || left.compareTo(most) > 0) {
                return false;
            }
        }
        return true;
    }
}
