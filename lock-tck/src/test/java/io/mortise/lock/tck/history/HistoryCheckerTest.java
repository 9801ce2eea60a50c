// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.history.Operation.Kind;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a store promised ends with the lease, and a renewal may make the lease shorter. */
class HistoryCheckerTest {
    private static Operation answer(int claim, Kind kind, long begin, String answer, long until) {
        return new Operation("client", claim, "lock", kind, begin, begin + 1, 0, "", answer, until, 0, 1);
    }

    private static Operation granted(int claim, long begin, long until) {
        return answer(claim, Kind.TRY, begin, Operation.YES, until);
    }

    private static boolean isRight(Operation... operations) {
        return HistoryChecker.violations(Arrays.asList(operations)).isEmpty();
    }

    @Test
    void aGrantWithinAnothersLeaseIsAFault() {
        assertThat(isRight(granted(1, 0, 100), granted(2, 98, 100))).isFalse();
        assertThat(isRight(granted(1, 0, 100), granted(2, 100, 100))).isTrue();
    }

    @Test
    void aRenewalMakesALeaseLonger() {
        Operation renewed = answer(1, Kind.RENEW, 50, Operation.YES, 100);

        assertThat(isRight(granted(1, 0, 100), renewed, granted(2, 148, 100))).isFalse();
        assertThat(isRight(granted(1, 0, 100), renewed, granted(2, 150, 100))).isTrue();
    }

    @Test
    void aRenewalMakesALeaseShorter() {
        Operation renewed = answer(1, Kind.RENEW, 10, Operation.YES, 20);

        assertThat(isRight(granted(1, 0, 100), renewed, granted(2, 28, 100))).isFalse();
        assertThat(isRight(granted(1, 0, 100), renewed, granted(2, 30, 100))).isTrue();
    }

    @Test
    void aRenewalWithoutAnAnswerMayHaveMadeTheLeaseShorterAndNotLonger() {
        Operation unanswered = answer(1, Kind.RENEW, 10, "unknown", 20);

        assertThat(isRight(granted(1, 0, 100), unanswered, granted(2, 28, 100))).isFalse();
        assertThat(isRight(granted(1, 0, 100), unanswered, granted(2, 30, 100))).isTrue();
        assertThat(isRight(granted(1, 0, 20), answer(1, Kind.RENEW, 10, "unknown", 100), granted(2, 20, 100)))
                .isTrue();
    }

    @Test
    void aRefusedRenewalAndAnothersChangeNothing() {
        Operation refused = answer(1, Kind.RENEW, 10, Operation.NO, 0);
        Operation others = answer(3, Kind.RENEW, 10, Operation.NO, 0);

        assertThat(isRight(granted(1, 0, 100), refused, others, granted(2, 50, 100)))
                .isFalse();
    }

    /** Another program deletes a lock between two renewals, and nobody knows when exactly. */
    @Test
    void whatWasAskedForDuringAFaultIsNotPromised() {
        Operation fault = Operation.about("suite", Kind.FAULT, "lock", 20, 40, "", "deleted");
        Operation during = answer(1, Kind.RENEW, 25, Operation.YES, 100);
        Operation answeredLater = answer(1, Kind.RENEW, 40, Operation.YES, 100);
        Operation after = answer(1, Kind.RENEW, 41, Operation.YES, 100);

        assertThat(isRight(granted(1, 0, 100), fault, during, granted(2, 42, 100)))
                .isTrue();
        assertThat(isRight(granted(1, 0, 100), fault, answeredLater, granted(2, 42, 100)))
                .isTrue();
        assertThat(isRight(granted(1, 0, 100), fault, after, granted(2, 43, 100)))
                .isFalse();
        assertThat(isRight(granted(1, 0, 100), fault, granted(2, 42, 100), granted(3, 50, 100)))
                .isFalse();
    }
}
