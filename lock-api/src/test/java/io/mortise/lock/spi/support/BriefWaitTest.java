// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

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
    void whatComesAfterTwentyFiveMicrosecondsIsNotWaitedFor() {
        assertThat(comesAfter(6)).isFalse();
        assertThat(asked).hasValue(6);
    }

    @Test
    void whatDoesNotComeIsWaitedForSeldom() {
        int tried = 0;
        for (int i = 0; i < 640; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
            tried += asked.get() > 1 ? 1 : 0;
        }

        // The first three, and each sixty-fourth.
        assertThat(tried).isEqualTo(12);
    }

    @Test
    void whatComesSoonAgainIsWaitedForAgain() {
        for (int i = 0; i < 64; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
        }

        assertThat(comesAfter(1)).isTrue();
        assertThat(comesAfter(1)).isTrue();
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
