// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.LockBackend;
import java.util.List;
import java.util.function.Function;

/** The wrong quorums, each with the rules that have to catch it. */
final class Gallery {
    /**
     * A wrong quorum.
     *
     * @param mistake what is wrong with it
     * @param make makes a client of it
     * @param saying what the first of the rules must say
     * @param caughtBy the rules that must fail, the one that names the mistake first
     */
    record Exhibit(
            String mistake, Function<List<LockBackend>, LockBackend> make, String saying, List<String> caughtBy) {
        @Override
        public String toString() {
            return mistake;
        }
    }

    static final List<Exhibit> ALL = List.of(
            new Exhibit(
                    "half of the members are enough",
                    WrongQuorums.HalfIsEnough::new,
                    "P5: granted by two of five",
                    List.of(
                            "p5_lessThanAMajorityGrantsNothing",
                            "p5_aRepeatedGrantIsAFullLeaseAtAMajority",
                            "p7_aFailedRoundReleasesWhatItGot",
                            "p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext",
                            "p9_aRenewalNeedsAMajorityThatKnowsTheHolder",
                            "c7_anUndecidedRoundIsNoAnswer")),
            new Exhibit(
                    "does not count the time that the round took",
                    WrongQuorums.CountsNoTime::new,
                    "P5: granted when the lease was over",
                    List.of("p5_aGrantThatTakesLongerThanItsLeaseIsNone")),
            new Exhibit(
                    "counts old grants as new",
                    WrongQuorums.CountsOldGrantsAsNew::new,
                    "P5: members at which the full lease is left",
                    List.of("p5_aRepeatedGrantIsAFullLeaseAtAMajority")),
            new Exhibit(
                    "leaves the minority of a failed round locked",
                    WrongQuorums.KeepsItsMinority::new,
                    "P7: the member is free that granted",
                    List.of(
                            "p7_aFailedRoundReleasesWhatItGot",
                            "p7_aFailedRoundReleasesMembersThatDidNotAnswer",
                            "p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext",
                            "c7_anUndecidedRoundIsNoAnswer")),
            new Exhibit(
                    "does not release members that did not answer",
                    WrongQuorums.ForgetsTheSilent::new,
                    "P7: the member is free whose grant was not heard of",
                    List.of("p7_aFailedRoundReleasesMembersThatDidNotAnswer")),
            new Exhibit(
                    "has one owner for all rounds",
                    WrongQuorums.OneOwnerForAllRounds::new,
                    "P7: a second holder, let in by a late release",
                    List.of("p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext")),
            new Exhibit(
                    "renews where it is left",
                    WrongQuorums.RenewsWhereItIsLeft::new,
                    "P9: renewed by two of five",
                    List.of("p9_aRenewalNeedsAMajorityThatKnowsTheHolder")),
            new Exhibit(
                    "takes silence for no",
                    WrongQuorums.TakesSilenceForNo::new,
                    "C7: two of three are silent",
                    List.of("c7_anUndecidedRoundIsNoAnswer")));

    private Gallery() {}
}
