// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SessionClockTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What is left out for clocks of different speeds. */
    private static final long DRIFT = 40 * SECOND / 50;

    private final SessionClock clock = new SessionClock(40 * SECOND);

    @Test
    void nothingIsCertainAtFirst() {
        assertThat(clock.left(at(0))).isZero();
        assertThat(clock.untilConfirmable(0)).isPositive();
    }

    @Test
    void aSessionLivesATimeoutFromAMomentBeforeItExisted() {
        clock.aliveAt(at(5 * SECOND));

        assertThat(clock.left(at(6 * SECOND))).isEqualTo(39 * SECOND - DRIFT);
        assertThat(clock.left(at(46 * SECOND))).isNegative();
    }

    @Test
    void oneAnswerProvesNothing() {
        clock.confirmed(at(SECOND), 2 * SECOND);

        assertThat(clock.left(at(2 * SECOND))).isZero();
    }

    @Test
    void threeRequestsInARowConfirmTheFirst() {
        clock.heard(at(SECOND), 2 * SECOND);
        assertThat(clock.untilConfirmable(3 * SECOND)).isEqualTo(2 * SECOND);
        clock.reached(at(5 * SECOND), 6 * SECOND);
        assertThat(clock.left(at(6 * SECOND))).isZero();
        assertThat(clock.untilConfirmable(6 * SECOND)).isZero();
        clock.confirmed(at(6 * SECOND), 7 * SECOND);

        assertThat(clock.left(at(7 * SECOND))).isEqualTo(34 * SECOND - DRIFT);
    }

    /** A leader that was paused may first agree to requests that waited for it, and then end the session. */
    @Test
    void anAgreementSentBeforeTheLeadersAnswerConfirmsNothing() {
        clock.heard(at(SECOND), 2 * SECOND);
        clock.reached(at(5 * SECOND), 9 * SECOND);
        clock.confirmed(at(9 * SECOND - 1), 10 * SECOND);

        assertThat(clock.left(at(10 * SECOND))).isZero();
    }

    @Test
    void reachingTheLeaderTooSoonConfirmsNothing() {
        clock.heard(at(SECOND), 2 * SECOND);
        clock.reached(at(5 * SECOND - 1), 6 * SECOND);
        clock.confirmed(at(7 * SECOND), 8 * SECOND);

        assertThat(clock.left(at(8 * SECOND))).isZero();
    }

    @Test
    void agreementsAlsoReachTheLeader() {
        for (int i = 0; i <= 10; i++) {
            clock.confirmed(at(i * SECOND), i * SECOND + 1);
        }
        assertThat(clock.left(at(10 * SECOND))).isEqualTo(35 * SECOND - DRIFT);
    }

    @Test
    void answersWithoutAnAgreementConfirmNothing() {
        for (int i = 0; i < 100; i++) {
            clock.heard(at(i * SECOND), i * SECOND + 1);
            clock.reached(at(i * SECOND + 2), i * SECOND + 3);
        }
        assertThat(clock.left(at(100 * SECOND))).isZero();
    }

    @Test
    void theNewestAnswerThatIsOldEnoughCounts() {
        for (int i = 0; i < 100; i++) {
            clock.heard(at(i * SECOND), i * SECOND + 1);
        }
        clock.reached(at(99 * SECOND + 2), 99 * SECOND + 3);
        clock.confirmed(at(100 * SECOND), 100 * SECOND + 1);

        assertThat(clock.left(at(100 * SECOND))).isEqualTo(36 * SECOND - DRIFT);
    }

    @Test
    void manyQuickAnswersDoNotDisplaceConfirmableOnes() {
        for (long millis = 0; millis < 60_000; millis += 5) {
            long at = TimeUnit.MILLISECONDS.toNanos(millis);
            clock.confirmed(at(at), at + 1);
        }
        assertThat(clock.left(at(60 * SECOND))).isBetween(34 * SECOND, 37 * SECOND);
    }

    @Test
    void overlappingRequestsDoNotDisplaceConfirmableOnes() {
        for (long millis = 0; millis < 60_000; millis += 5) {
            long at = TimeUnit.MILLISECONDS.toNanos(millis);
            clock.reached(at(at), at + 1);
            clock.confirmed(at(at - SECOND / 2), at + 2);
        }
        assertThat(clock.left(at(60 * SECOND))).isBetween(33 * SECOND, 37 * SECOND);
    }

    @Test
    void theCertainTimeNeverShrinks() {
        clock.heard(at(10 * SECOND), 11 * SECOND);
        clock.reached(at(18 * SECOND), 19 * SECOND);
        clock.confirmed(at(20 * SECOND), 21 * SECOND);
        assertThat(clock.left(at(21 * SECOND))).isPositive();
        long left = clock.left(at(21 * SECOND));
        clock.aliveAt(at(SECOND));

        assertThat(clock.left(at(21 * SECOND))).isEqualTo(left);
    }

    @Test
    void aShorterTimeoutCountsAtOnceAndALongerOneNever() {
        clock.aliveAt(at(0));
        clock.renegotiated(20 * SECOND);
        assertThat(clock.left(at(0))).isEqualTo(20 * SECOND - DRIFT / 2);
        clock.renegotiated(60 * SECOND);
        assertThat(clock.left(at(0))).isEqualTo(20 * SECOND - DRIFT / 2);
    }

    @Test
    void shortSessionsHaveShortGaps() {
        assertThat(new SessionClock(2 * SECOND).gap()).isEqualTo(SECOND / 2);
        assertThat(clock.gap()).isEqualTo(3 * SECOND);
    }

    @Test
    void theDefaultLeaseFitsTheDefaultSession() {
        assertThat(SessionClock.longestLease(Duration.ofSeconds(40))).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void momentsMayBeNegative() {
        clock.heard(at(-9 * SECOND), -8 * SECOND);
        clock.reached(at(-5 * SECOND), -4 * SECOND);
        clock.confirmed(at(-4 * SECOND), -3 * SECOND);

        assertThat(clock.left(at(0))).isEqualTo(31 * SECOND - DRIFT);
    }

    /** A quarter of a minute passes for the leader and not for the monotonic clock; the renewal is sent after it. */
    @Test
    void timeSuspendedBetweenTheBaseAndTheLeaseCounts() {
        clock.heard(at(5 * SECOND), 5 * SECOND + 1);
        clock.reached(at(9 * SECOND), 9 * SECOND + 1);
        Moment asked = at(10 * SECOND, 15 * SECOND);
        clock.confirmed(asked, 10 * SECOND + 1);

        assertThat(clock.left(asked)).isEqualTo(20 * SECOND - DRIFT);
    }

    @Test
    void timeSuspendedBeforeTheBaseDoesNotCount() {
        clock.heard(at(5 * SECOND, 15 * SECOND), 5 * SECOND + 1);
        clock.reached(at(9 * SECOND, 15 * SECOND), 9 * SECOND + 1);
        clock.confirmed(at(10 * SECOND, 15 * SECOND), 10 * SECOND + 1);

        assertThat(clock.left(at(10 * SECOND, 15 * SECOND))).isEqualTo(35 * SECOND - DRIFT);
    }

    /** The clocks are not read at once, and the wall clock is slewed. */
    @Test
    void aWallClockThatIsALittleAheadOrWasSetBackChangesNothing() {
        clock.aliveAt(at(0));

        assertThat(clock.left(at(SECOND, SECOND / 50))).isEqualTo(39 * SECOND - DRIFT);
        assertThat(clock.left(at(SECOND, -3_600 * SECOND))).isEqualTo(39 * SECOND - DRIFT);
        assertThat(clock.left(at(SECOND, SECOND / 40))).isEqualTo(39 * SECOND - SECOND / 40 - DRIFT);
    }

    /** The leader's ping takes half a tick by any clock; a wall clock that was set forward proves none. */
    @Test
    void aWallClockThatWasSetForwardMakesNoGap() {
        clock.heard(at(SECOND), 2 * SECOND);
        clock.reached(at(2 * SECOND, 3_600 * SECOND), 3 * SECOND);
        clock.confirmed(at(3 * SECOND, 3_600 * SECOND), 4 * SECOND);

        assertThat(clock.left(at(4 * SECOND, 3_600 * SECOND))).isZero();
    }

    private static Moment at(long nanos) {
        return at(nanos, 0);
    }

    /** A moment before which the host was suspended for some time. */
    private static Moment at(long nanos, long suspended) {
        return new Moment(nanos, TimeUnit.NANOSECONDS.toMillis(nanos + suspended));
    }
}
