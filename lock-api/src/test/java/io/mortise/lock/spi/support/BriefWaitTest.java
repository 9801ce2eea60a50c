// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BriefWaitTest {
    private static final long STEP_NANOS = 5_000;

    /** Goes on by a step each time that somebody looks at it. */
    private final AtomicLong clock = new AtomicLong();

    private final BriefWait wait = new BriefWait(() -> clock.addAndGet(STEP_NANOS), true);
    private final AtomicInteger asked = new AtomicInteger();

    private boolean comesAfter(int times, BriefWait how) {
        asked.set(0);
        return how.until(() -> asked.incrementAndGet() > times);
    }

    private boolean comesAfter(int times) {
        return comesAfter(times, wait);
    }

    @Test
    void whatIsThereIsNotWaitedFor() {
        assertThat(comesAfter(0)).isTrue();
        assertThat(asked).hasValue(1);
    }

    @Test
    void whatComesSoonIsSeen() {
        assertThat(comesAfter(5)).isTrue();
    }

    @Test
    void whatComesAfterFiftyMicrosecondsIsNotWaitedFor() {
        assertThat(comesAfter(11)).isFalse();
        assertThat(asked).hasValue(11);
    }

    @Test
    void whatDoesNotComeIsWaitedForMoreAndMoreSeldom() {
        List<Integer> tried = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
            if (asked.get() > 1) {
                tried.add(i);
            }
        }

        assertThat(tried).containsExactly(0, 1, 2, 64, 190, 444, 954, 1976, 4022, 8116, 12210, 16304);
    }

    @Test
    void aTrialIsLongEnoughForAThreadToWake() {
        giveUp();
        assertThat(comesAfter(40)).isTrue();
        assertThat(comesAfter(11)).as("as before again").isFalse();
        assertThat(asked).hasValue(11);
    }

    @Test
    void whatComesSoonAfterATrialIsWaitedForAgain() {
        giveUp();
        assertThat(comesAfter(40)).isTrue();
        assertThat(comesAfter(5)).isTrue();

        giveUp();
        assertThat(comesAfter(40)).as("a trial, after as few as at first").isTrue();
    }

    @Test
    void whereTrialsAloneComeInTimeTheyBecomeSeldom() {
        giveUp();
        assertThat(comesAfter(40)).isTrue();

        giveUp();
        assertThat(comesAfter(40)).as("left out").isFalse();
        assertThat(asked).hasValue(1);
    }

    /** After this, the next wait is the first trial. */
    private void giveUp() {
        for (int i = 0; i < 64; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
        }
    }

    @Test
    void withOneProcessorNothingIsWaitedFor() {
        BriefWait alone = new BriefWait(() -> clock.addAndGet(STEP_NANOS), false);

        assertThat(comesAfter(1, alone)).isFalse();
        assertThat(comesAfter(0, alone)).isTrue();
    }

    @Test
    void byDefaultTimeIsThatOfTheSystem() {
        assertThat(comesAfter(Integer.MAX_VALUE, new BriefWait())).isFalse();
    }
}
