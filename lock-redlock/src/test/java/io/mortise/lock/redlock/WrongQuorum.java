// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.LockBackend;
import java.util.List;
import java.util.function.Function;

/**
 * A deliberately wrong quorum, and the rules that must catch it.
 *
 * @param mistake what is wrong with it
 * @param make makes a client of the wrong quorum
 * @param saying what the first of the rules must say
 * @param caughtBy the rules that must fail, the one that names the mistake first
 */
record WrongQuorum(
        String mistake, Function<List<LockBackend>, LockBackend> make, String saying, List<String> caughtBy) {
    static final List<WrongQuorum> ALL = List.of(
            new WrongQuorum(
                    "half of the members are enough",
                    WrongQuorums.HalfIsEnough::new,
                    "P5: granted by two of five",
                    List.of(
                            "p5_lessThanAMajorityGrantsNothing",
                            "p5_aRepeatedGrantIsAFullLeaseAtAMajority",
                            "p7_aFailedRoundReleasesWhatItGot",
                            "p7_aLateReleaseDoesNotTouchTheNextRound",
                            "p9_aRenewalNeedsAMajorityThatKnowsTheHolder",
                            "p9_aRenewalLastsAsLongAsItIsToldAtAMajority",
                            "c7_anUndecidedRoundThrows")),
            new WrongQuorum(
                    "ignores the time that the round took",
                    WrongQuorums.IgnoresTimeSpent::new,
                    "P5: granted when the lease was over",
                    List.of("p5_aGrantSlowerThanItsLeaseDoesNotCount")),
            new WrongQuorum(
                    "counts old grants as new",
                    WrongQuorums.CountsOldGrantsAsNew::new,
                    "P5: members at which the full lease is left",
                    List.of("p5_aRepeatedGrantIsAFullLeaseAtAMajority")),
            new WrongQuorum(
                    "leaves the minority of a failed round locked",
                    WrongQuorums.KeepsItsMinority::new,
                    "P7: the member that granted is free",
                    List.of(
                            "p7_aFailedRoundReleasesWhatItGot",
                            "p7_aFailedRoundReleasesMembersThatDidNotAnswer",
                            "p7_aLateReleaseDoesNotTouchTheNextRound",
                            "c7_anUndecidedRoundThrows")),
            new WrongQuorum(
                    "does not release members that did not answer",
                    WrongQuorums.ReleasesOnlyGrants::new,
                    "P7: the member whose grant was not answered is free",
                    List.of("p7_aFailedRoundReleasesMembersThatDidNotAnswer")),
            new WrongQuorum(
                    "has one owner for all rounds",
                    WrongQuorums.OneOwnerForAllRounds::new,
                    "P7: a second holder, after a late release",
                    List.of("p7_aLateReleaseDoesNotTouchTheNextRound")),
            new WrongQuorum(
                    "renews by any one member",
                    WrongQuorums.RenewsByAnyMember::new,
                    "P9: renewed by two of five",
                    List.of("p9_aRenewalNeedsAMajorityThatKnowsTheHolder")),
            new WrongQuorum(
                    "renews to the length of the grant",
                    WrongQuorums.RenewsToTheLengthOfTheGrant::new,
                    "P9: members that keep others out for longer than before",
                    List.of("p9_aRenewalLastsAsLongAsItIsToldAtAMajority")),
            new WrongQuorum(
                    "treats no answer as no",
                    WrongQuorums.TreatsNoAnswerAsNo::new,
                    "C7: two of three do not answer",
                    List.of("c7_anUndecidedRoundThrows")));

    @Override
    public String toString() {
        return mistake;
    }
}
