// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private static final int NAME = 0;
    private static final int OTHER_NAME = 1;

    /** The first lets two of a client hold it one after the other; the second is another client's, granted meanwhile. */
    private final Grant first = new Grant(1, 10, 2, 100, 1_000);

    private final Grant second = new Grant(2, 20, 1, 110, 1_000);

    private final Attempt holder = attempt(first, 10, 90, 120, 150);
    private final Attempt another = attempt(second, 20, 95, 130, 145);
    private final Attempt handedOver = attempt(first, 11, 80, 160, 170);

    @Test
    void aTokenThatFallsIsNoticed() {
        judge(List.of());
        assertThat(handedOver.fault).isEqualTo("a token fell: 20 was granted before");
    }

    @Test
    void aLockThatWasTakenMayStillBeHandedOver() {
        judge(List.of(new Revocation(NAME, 3, 105, 108)));
        assertThat(List.of(holder, another, handedOver))
                .extracting(attempt -> attempt.fault)
                .containsOnlyNulls();
    }

    @Test
    void aLockThatWasTakenBeforeTheGrantIsNoExcuse() {
        judge(List.of(new Revocation(NAME, 3, 80, 99), new Revocation(OTHER_NAME, 3, 105, 108)));
        assertThat(handedOver.fault).isEqualTo("a token fell: 20 was granted before");
    }

    @Test
    void aRevocationAfterIsNoExcuse() {
        judge(List.of(new Revocation(NAME, 3, 165, 170)));
        assertThat(handedOver.fault).isEqualTo("a token fell: 20 was granted before");
    }

    @Test
    void aGrantOfAClientWhoseLockWasTakenIsNotExcusedFromWhatWasGrantedBeforeIt() {
        Attempt before = attempt(new Grant(2, 30, 1, 60, 1_000), 30, 50, 70, 80);
        new Judge(List.of(new Revocation(NAME, 3, 105, 108))).judge(List.of(before, holder));
        assertThat(holder.fault).isEqualTo("a token fell: 30 was granted before");
    }

    private void judge(List<Revocation> revocations) {
        new Judge(revocations).judge(List.of(holder, another, handedOver));
    }

    private static Attempt attempt(Grant grant, long token, long begin, long heldFrom, long heldTo) {
        Attempt attempt = new Attempt();
        attempt.name = NAME;
        attempt.grant = grant;
        attempt.token = token;
        attempt.begin = begin;
        attempt.heldFrom = heldFrom;
        attempt.heldTo = heldTo;
        attempt.releaseBegin = heldTo;
        return attempt;
    }
}
