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
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules that every quorum must keep. A test class implements this and says which quorum. */
interface QuorumCases {
    /** A new client of a quorum of these members. One member may take as long as a whole call. */
    LockBackend quorum(List<LockBackend> members);

    /** How long the quorum may still release claims after it has answered. */
    default Duration patience() {
        return Duration.ofSeconds(10);
    }

    @Test
    default void p5_lessThanAMajorityGrantsNothing() throws Exception {
        Stores stores = new Stores(5);
        try (LockBackend quorum = quorum(stores.members())) {
            heldByOthers(stores, 0, 1, 2);

            assertThat(claim(quorum, "lock").tryAcquire(AMPLE))
                    .as("P5: granted by two of five")
                    .isFalse();
        }
    }

    @Test
    default void p5_aMajorityGrants() throws Exception {
        Stores stores = new Stores(5);
        try (LockBackend quorum = quorum(stores.members())) {
            heldByOthers(stores, 1, 3);

            assertThat(claim(quorum, "lock").tryAcquire(AMPLE))
                    .as("P5: granted by three of five")
                    .isTrue();
        }
    }

    @Test
    default void p5_aGrantSlowerThanItsLeaseDoesNotCount() throws Exception {
        Stores stores = new Stores(3);
        Duration lease = Duration.ofMillis(50);
        try (LockBackend quorum = quorum(stores.members())) {
            for (int i = 0; i < 3; i++) {
                stores.network(i).delayNextReply(Operation.TRY, lease.multipliedBy(2));
            }
            Claim claim = quorum.claim(request("lock", lease), () -> {});

            assertThat(isYes(() -> claim.tryAcquire(AMPLE)))
                    .as("P5: granted when the lease was over")
                    .isFalse();
            assertThat(claim.renew(LEASE, AMPLE)).as("P5: held all the same").isFalse();
        }
    }

    @Test
    default void p5_aRepeatedGrantIsAFullLeaseAtAMajority() throws Exception {
        ManualTicker ticker = new ManualTicker();
        Stores stores = new Stores(3, ticker);
        try (LockBackend quorum = quorum(stores.members())) {
            Claim claim = claim(quorum, "lock");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            ticker.advance(LEASE.dividedBy(2));

            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(IntStream.range(0, 3)
                            .filter(i -> stores.leaseLeft(i, "lock").equals(LEASE)))
                    .as("P5: members at which the full lease is left")
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    default void p7_aFailedRoundReleasesWhatItGot() throws Exception {
        for (int free = 0; free < 3; free++) {
            Stores stores = new Stores(3);
            try (LockBackend quorum = quorum(stores.members())) {
                heldByOthers(stores, (free + 1) % 3, (free + 2) % 3);

                assertThat(claim(quorum, "lock").tryAcquire(AMPLE))
                        .as("P7: granted by one of three")
                        .isFalse();
                awaitFree(stores, free, "P7: the member that granted is free");
            }
        }
    }

    @Test
    default void p7_aFailedRoundReleasesMembersThatDidNotAnswer() throws Exception {
        Stores stores = new Stores(3);
        try (LockBackend quorum = quorum(stores.members())) {
            heldByOthers(stores, 0, 1);
            stores.network(2).loseNextReply(Operation.TRY);

            assertThat(claim(quorum, "lock").tryAcquire(AMPLE))
                    .as("P7: granted by none of three")
                    .isFalse();
            awaitFree(stores, 2, "P7: the member whose grant was not answered is free");
        }
    }

    @Test
    default void p7_aLateReleaseDoesNotTouchTheNextRound() throws Exception {
        Stores stores = new Stores(5);
        try (LockBackend quorum = quorum(stores.members());
                LockBackend second =
                        quorum(IntStream.range(0, 5).mapToObj(stores::direct).toList())) {
            List<Claim> others = heldByOthers(stores, 0, 1, 2);
            stores.network(3).holdUpNextRequest(Operation.RELEASE);
            Claim claim = claim(quorum, "lock");
            assertThat(claim.tryAcquire(AMPLE)).as("P7: granted by two of five").isFalse();
            others.get(1).release(AMPLE);
            others.get(2).release(AMPLE);
            assertThat(claim.tryAcquire(AMPLE))
                    .as("P7: granted by those that are free again")
                    .isTrue();

            await("P7: the first round's late release")
                    .until(() -> stores.network(3).deliverHeldUp() == 1);
            others.get(0).release(AMPLE);
            assertThat(claim(second, "lock").tryAcquire(AMPLE))
                    .as("P7: a second holder, after a late release")
                    .isFalse();
        }
    }

    @Test
    default void p9_aRenewalNeedsAMajorityThatKnowsTheHolder() throws Exception {
        Stores stores = new Stores(5);
        try (LockBackend quorum = quorum(stores.members())) {
            heldByOthers(stores, 3, 4);
            Claim claim = claim(quorum, "lock");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.renew(LEASE, AMPLE))
                    .as("P9: renewed by three of five")
                    .isTrue();
            stores.store(2).delete("lock");

            assertThat(isYes(() -> claim.renew(LEASE, AMPLE)))
                    .as("P9: renewed by two of five")
                    .isFalse();
        }
    }

    @Test
    default void p9_aRenewalLastsAsLongAsItIsToldAtAMajority() throws Exception {
        Duration longer = LEASE.multipliedBy(5);
        Duration shorter = LEASE.dividedBy(4);
        Stores stores = new Stores(5);
        try (LockBackend quorum = quorum(stores.members())) {
            Claim claim = claim(quorum, "lock");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.renew(longer, AMPLE)).isTrue();
            assertThat(leases(stores).filter(left -> left.compareTo(LEASE) > 0))
                    .as("P9: members that keep others out for longer than before")
                    .hasSizeGreaterThanOrEqualTo(3);
            assertThat(claim.renew(shorter, AMPLE)).isTrue();
            assertThat(leases(stores).filter(left -> left.compareTo(shorter) <= 0))
                    .as("P9: members that are free earlier than before")
                    .hasSizeGreaterThanOrEqualTo(3);
        }
    }

    private static Stream<Duration> leases(Stores stores) {
        return IntStream.range(0, 5)
                .mapToObj(member -> stores.leaseLeft(member, "lock"))
                .filter(left -> !left.isZero());
    }

    @Test
    default void c7_anUndecidedRoundThrows() throws Exception {
        Stores stores = new Stores(3);
        try (LockBackend quorum = quorum(stores.members())) {
            stores.network(0).loseRandomly(1, 1);
            stores.network(2).loseRandomly(1, 1);

            assertThatThrownBy(() -> claim(quorum, "lock").tryAcquire(AMPLE), "C7: two of three do not answer")
                    .isInstanceOf(BackendException.class);
            assertThat(stores.isFree(1, "lock"))
                    .as("C7: the member that granted is free")
                    .isTrue();
        }
    }

    private static List<Claim> heldByOthers(Stores stores, int... members) throws InterruptedException {
        List<Claim> others = new ArrayList<>();
        for (int member : members) {
            Claim other = stores.direct(member, "lock");
            assertThat(other.tryAcquire(AMPLE)).isTrue();
            others.add(other);
        }
        return others;
    }

    /** After a decision a round may still ask the other members; it releases them when they have answered. */
    private void awaitFree(Stores stores, int member, String what) throws InterruptedException {
        if (!stores.isFree(member, "lock")) {
            await(what).atMost(patience()).until(() -> stores.isFree(member, "lock"));
        }
    }

    /** An unknown outcome is not a yes. */
    private static boolean isYes(Callable<Boolean> question) throws Exception {
        try {
            return question.call();
        } catch (BackendException unknown) {
            return false;
        }
    }
}
