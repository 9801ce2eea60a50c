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

import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** P5, P7, P9: this module's quorum keeps the rules of all quorums, and its own. */
class QuorumTest implements QuorumCases {
    private static final String LOCK = "lock";

    @Override
    public LockBackend quorum(List<LockBackend> members) {
        return Stores.ours(RedlockBackend.builder().memberTimeout(AMPLE), members);
    }

    @Test
    void aMajorityIsMoreThanHalf() {
        assertThat(Votes.majority(3)).isEqualTo(2);
        assertThat(Votes.majority(5)).isEqualTo(3);
        assertThat(Votes.majority(7)).isEqualTo(4);
    }

    @Test
    void anUndecidedTryThrowsAndNamesTheMembersWithoutAnswer() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            stores.network(0).loseRandomly(1, 1);
            stores.network(2).loseRandomly(1, 1);

            Claim claim = claim(quorum, LOCK);
            assertThatThrownBy(() -> claim.tryAcquire(AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContainingAll("2 of 3", "store-0", "store-2")
                    .hasMessageNotContaining("store-1");
            assertThatThrownBy(() -> claim.release(AMPLE)).isInstanceOf(BackendException.class);
        }
    }

    @Test
    void aLostReleaseIsRepeatedBeforeTheNextTry() throws Exception {
        Stores stores = new Stores(3);
        try (LockBackend quorum = quorum(stores.members())) {
            Claim other = stores.direct(0, LOCK);
            Claim another = stores.direct(1, LOCK);
            assertThat(other.tryAcquire(AMPLE) && another.tryAcquire(AMPLE)).isTrue();
            stores.network(2).loseNextRequest(Operation.RELEASE);
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(AMPLE)).isFalse();
            await("the release is lost").until(() -> stores.network(2).ended(Operation.RELEASE) == 1);
            assertThat(stores.isHeld(2, LOCK)).isTrue();

            other.release(AMPLE);
            assertThat(claim.tryAcquire(AMPLE))
                    .as("with the member that it had left locked")
                    .isTrue();
        }
    }

    @Test
    void aTryThatWasGivenUpIsReleasedAgainWhenItEnds() throws Exception {
        Stores stores = new Stores(3);
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        List<LockBackend> members = stores.members();
        try (LockBackend quorum = quorum(List.of(members.get(0), members.get(1), givenUp(members.get(2), end)))) {
            assertThat(stores.direct(0, LOCK).tryAcquire(AMPLE)).isTrue();
            assertThat(stores.direct(1, LOCK).tryAcquire(AMPLE)).isTrue();
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE)).isFalse();
            await("it is released at once").until(() -> stores.network(2).ended(Operation.RELEASE) == 1);

            end.complete(true);
            await("and once more").until(() -> stores.network(2).calls(Operation.RELEASE) == 2);
        }
    }

    @Test
    void oneMemberWithoutAnswerDecidesNothing() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum();
                RedlockBackend other = stores.quorum()) {
            stores.network(1).loseRandomly(1, 1);
            Claim holder = claim(other, LOCK);

            assertThat(holder.tryAcquire(AMPLE)).isTrue();
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE)).isFalse();
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
            assertThat(holder.release(AMPLE)).isTrue();
            assertThat(claim(quorum, LOCK).tryAcquire(AMPLE)).isTrue();
        }
    }

    @Test
    void renewalNeedsAMajorityThatKnowsTheOwner() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = stores.heldByAll(quorum, LOCK);

            stores.network(0).loseNextRequest(Operation.RENEW);
            assertThat(claim.renew(LEASE, AMPLE)).as("one does not answer").isTrue();
            stores.network(0).loseNextRequest(Operation.RENEW);
            stores.network(1).loseNextRequest(Operation.RENEW);
            assertThatThrownBy(() -> claim.renew(LEASE, AMPLE))
                    .as("two do not answer")
                    .isInstanceOf(BackendException.class)
                    .hasMessageContainingAll("store-0", "store-1");
            stores.store(0).delete(LOCK);
            stores.store(1).delete(LOCK);
            assertThat(claim.renew(LEASE, AMPLE)).as("two have forgotten it").isFalse();
            assertThat(stores.isFree(0, LOCK)).as("nothing was given back").isTrue();
        }
    }

    @Test
    void aClaimThatHasLostAtAMajorityRaisesNoMember() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = stores.heldByAll(quorum, LOCK);
            stores.store(0).delete(LOCK);
            stores.store(1).delete(LOCK);
            long high = claim.fencingToken() + (1L << 40);

            assertThat(claim.raiseToken(high, AMPLE)).isFalse();
            assertThat(claim.release(AMPLE)).isFalse();
            await("no member has it").until(() -> holders(stores) == 0);
            Claim next = claim(quorum, LOCK);
            assertThat(next.tryAcquire(AMPLE)).isTrue();
            assertThat(next.fencingToken()).isLessThan(high);
        }
    }

    @Test
    void aRenewalSlowerThanTheLeaseIsUnknownAndHealsNothing() throws Exception {
        Stores stores = new Stores(3);
        Duration lease = Duration.ofSeconds(2);
        try (RedlockBackend quorum = stores.quorum(RedlockBackend.builder().memberTimeout(AMPLE), backend -> backend)) {
            Claim claim = quorum.claim(request(LOCK, lease), () -> {});
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            await("all members have it").until(() -> holders(stores) == 3);
            stores.store(0).delete(LOCK);
            for (int i = 0; i < 3; i++) {
                stores.network(i).delayNextReply(Operation.RENEW, lease);
            }

            assertThatThrownBy(() -> claim.renew(lease, AMPLE.multipliedBy(4))).isInstanceOf(BackendException.class);
            assertThat(stores.isHeld(0, LOCK)).as("healed").isFalse();
        }
    }

    @Test
    void aMemberThatForgotIsHealedAndVotesInTheNextRenewal() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = stores.heldByAll(quorum, LOCK);
            stores.store(0).delete(LOCK);

            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            await("it is healed").until(() -> holders(stores) == 3);
            stores.store(1).delete(LOCK);
            assertThat(claim.renew(LEASE, AMPLE))
                    .as("the first and the last know it")
                    .isTrue();
            await("it is healed").until(() -> holders(stores) == 3);
            assertThat(claim.release(AMPLE)).isTrue();
            await("nothing is left").until(() -> holders(stores) == 0);
        }
    }

    @Test
    void everyMemberClaimHasItsOwnOwnerAndDoesNotWait() throws Exception {
        Stores stores = new Stores(3);
        List<ClaimRequest> requests = Collections.synchronizedList(new ArrayList<>());
        Claim blocking = stores.direct(0, LOCK);
        Claim second = stores.direct(1, LOCK);
        assertThat(blocking.tryAcquire(AMPLE) && second.tryAcquire(AMPLE)).isTrue();
        try (RedlockBackend quorum =
                stores.quorum(RedlockBackend.builder().memberTimeout(AMPLE), inner -> new ForwardingBackend(inner) {
                    @Override
                    public Claim claim(ClaimRequest request, Runnable nudge) {
                        requests.add(request);
                        return super.claim(request, nudge);
                    }
                })) {
            ClaimRequest asked = new ClaimRequest(LOCK, Stores.owner(), "test", LEASE, true, 0, 1);
            Claim claim = quorum.claim(asked, () -> {});
            assertThat(claim.tryAcquire(AMPLE)).isFalse();
            blocking.release(AMPLE);
            await("one member is still held, at which a look may fall").until(() -> claim.tryAcquire(AMPLE));

            assertThat(requests).hasSizeGreaterThanOrEqualTo(6);
            assertThat(requests)
                    .extracting(ClaimRequest::owner)
                    .doesNotHaveDuplicates()
                    .doesNotContain(asked.owner());
            assertThat(requests).noneMatch(ClaimRequest::waits);
        }
    }

    @Test
    void laterTokensOfAMajorityAreGreater() throws Exception {
        Stores stores = Stores.withOneAhead(3, 2, Duration.ofHours(1));
        try (RedlockBackend quorum = stores.quorum()) {
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            long token = claim.fencingToken();
            assertThat(claim.release(AMPLE)).isTrue();

            int above = 0;
            for (int i = 0; i < 3; i++) {
                Claim next = stores.direct(i, LOCK);
                await().until(() -> next.tryAcquire(AMPLE));
                above += next.fencingToken() > token ? 1 : 0;
            }
            assertThat(above).as("members whose next token is greater").isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void raisingTokensDoesNotWaitForAMemberThatHangs() throws Exception {
        Duration patience = Duration.ofMinutes(1);
        Stores stores = new Stores(3);
        try (RedlockBackend quorum =
                stores.quorum(RedlockBackend.builder().memberTimeout(patience), backend -> backend)) {
            Claim first = claim(quorum, "all are met, and tell no clocks");
            assertThat(first.tryAcquire(AMPLE)).isTrue();
            stores.store(2).pause();
            long began = System.nanoTime();
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(patience.multipliedBy(2))).isTrue();
            assertThat(claim.release(patience.multipliedBy(2))).isTrue();
            assertThat(System.nanoTime() - began).isLessThan(patience.toNanos() / 2);
            stores.store(2).resume();
        }
    }

    @Test
    void closeWaitsForReleasesUnderWay() throws Exception {
        Stores stores = new Stores(3);
        try (RedlockBackend quorum =
                stores.quorum(RedlockBackend.builder().memberTimeout(Duration.ofMinutes(1)), backend -> backend)) {
            Claim first = claim(quorum, "all are met");
            assertThat(first.tryAcquire(AMPLE)).isTrue();
            stores.network(2).delayNextReply(Operation.TRY, Duration.ofMillis(500));
            Claim claim = claim(quorum, LOCK);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.release(AMPLE)).isTrue();
        }
        assertThat(stores.isFree(2, LOCK)).isTrue();
    }

    @Test
    void aClosedClientThrows() throws Exception {
        RedlockBackend quorum = new Stores(3).quorum();
        Claim claim = claim(quorum, LOCK);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        quorum.close();

        assertThatThrownBy(() -> claim.renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim.release(AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim.tryAcquire(AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim(quorum, LOCK).renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
    }

    /** A member that gives up every try while it still runs. */
    private static LockBackend givenUp(LockBackend member, CompletableFuture<Boolean> end) {
        return new ForwardingBackend(member) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) {
                        throw new BackendException("it takes too long", null, end);
                    }
                };
            }
        };
    }

    private static int holders(Stores stores) throws InterruptedException {
        int holders = 0;
        for (int i = 0; i < 3; i++) {
            holders += stores.isHeld(i, LOCK) ? 1 : 0;
        }
        return holders;
    }
}
