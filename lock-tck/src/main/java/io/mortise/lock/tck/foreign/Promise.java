// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import java.util.List;

/** What a lock library promises in its own documentation, and the cases that prove it. A library is asked for nothing else. */
public enum Promise {
    /** One holder at a time, whichever client asks; whoever asks while another holds is refused at once. */
    EXCLUSION(
            "a1_secondClientIsRefusedWhileHeld",
            "a1_secondClaimOfTheSameClientIsRefused",
            "a2_differentNamesAreIndependent",
            "a3_noIncrementIsLost",
            "a8_firstTriesAtOnceGetYesOrNo",
            "c1_aRefusedTryWaitsForNobody",
            "c9_aPlainTryEntersNoQueue"),
    /** Closing a client leaves nothing of it in the process. */
    CLOSING("e8_closedClientsLeaveNoThreads"),
    /** Any text is a name, and different texts are different locks; nothing is said of strings that are no text in Unicode. Needs {@link ForeignGrant#renew}, by which the suite sees who holds. */
    ANY_NAME(
            "b1_eachCharacterCounts",
            "b1_equalHashesAreDifferentNames",
            "b1_theEmptyStringIsAName",
            "b2_encodingsOfEachOtherAreDifferent",
            "b2_namesThatLookAlikeAreDifferent",
            "b3_pathsAreIndependent",
            "b4_longNamesDifferAnywhere",
            "b4_longNamesDifferInTheLastCharacter"),
    /** A lock that nobody releases lasts for as long as was asked for, and is then free for one other. */
    LEASES(
            "a1_oneOfManyTakesOverAnEndedLease",
            "a1_triesRaceForAnEndedLease",
            "f1_freeAfterTheLeaseAndNotBefore",
            "f2_shortLeasesAreHonoured",
            "k2_aWaiterFindsTheLockOfADeadHolder"),
    /** What a holder does whose lease has ended changes nothing of the next holder's lock. */
    OWNERSHIP(
            "e1_aReleaseRacesWithTheEndOfItsLease",
            "e1_releaseAtTheEndOfTheLeaseIsAtomic",
            "e1_staleReleaseDoesNotFreeTheNextHolder"),
    /** The same is so where the next holder is another thread of the same client, which need not wait for the old one. */
    OWNERSHIP_IN_ONE_CLIENT(
            "e1_staleReleaseDoesNotFreeTheNextHolderOfTheSameClient", "e2_staleRenewalDoesNotExtendTheNextLease"),
    /** A release says whether the lock was this holder's until then, and is harmless when it is repeated. */
    TRUE_RELEASES("e3_releasingAgainIsHarmless", "e4_releaseSaysWhetherItHeld"),
    /** A lease that has ended is lost: a release and a renewal say so, also when nobody else has taken the lock. */
    ENDED_IS_LOST("e4_aReleaseAfterTheEndSaysNo", "f7_anEndedLeaseCannotBeRenewed"),
    /** A holder makes its lease longer, as long as it has not ended. */
    RENEWALS("e2_aRenewalRacesWithTheEndOfItsLease", "g13_aRenewalSetsALongerLease", "g5_aReleasedClaimIsNotRenewed");

    private final List<String> cases;

    Promise(String... cases) {
        this.cases = List.of(cases);
    }

    /**
     * The names of the cases.
     *
     * @return none of them is another promise's
     */
    public List<String> cases() {
        return cases;
    }
}
