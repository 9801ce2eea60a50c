// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.redlock.Model.Mistake;
import org.junit.jupiter.api.Test;

/** Checks the argument of ADR 80, state by state. */
class ModelTest {
    /** Late messages of a client's first round reach members that hold its second round, or the other client's. */
    @Test
    void leasesDoNotOverlapAndTokensRise() {
        assertSound(new Model(3, 0, false));
    }

    @Test
    void withTheRestartDelayAMemberMayForget() {
        assertSound(new Model(2, 3, true));
    }

    @Test
    void withoutRaisingTheTokenFalls() {
        assertFault(new Model(3, 0, false, Mistake.NO_RAISING), "comes after");
    }

    @Test
    void withoutTheOwnerCheckInRaisingTheTokenFalls() {
        assertFault(new Model(3, 0, false, Mistake.RAISING_WITHOUT_OWNER), "comes after");
    }

    @Test
    void withOneOwnerForAllRoundsLeasesOverlap() {
        assertFault(new Model(4, 0, false, Mistake.ROUNDS_SHARE_AN_OWNER), "two leases overlap");
    }

    @Test
    void withoutAMajorityLeasesOverlap() {
        assertFault(new Model(2, 0, false, Mistake.MINORITY_IS_ENOUGH), "two leases overlap");
    }

    @Test
    void withoutTheCheckOfTimeLeasesOverlap() {
        assertFault(new Model(2, 1, false, Mistake.GRANTS_THAT_COME_TOO_LATE), "two leases overlap");
    }

    @Test
    void withoutTheRestartDelayLeasesOverlap() {
        assertFault(new Model(2, 1, true, Mistake.NO_RESTART_DELAY), "two leases overlap");
    }

    @Test
    void withoutClocksInTokensARestartMakesThemFall() {
        assertFault(new Model(2, 3, true, Mistake.TOKENS_WITHOUT_CLOCK), "comes after");
    }

    private static void assertSound(Model model) {
        assertThat(model.firstFault()).isEmpty();
        assertThat(model.grants()).as("grants that were looked at").isGreaterThan(1_000);
        assertThat(model.states()).as("states").isGreaterThan(50_000);
    }

    private static void assertFault(Model model, String fault) {
        assertThat(model.firstFault().orElse("no fault was found in " + model.states() + " states"))
                .contains(fault);
    }
}
