// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BriefWaitTest {
    private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private final BriefWait wait = new BriefWait();
    private final AtomicInteger asked = new AtomicInteger();

    private boolean comesAfter(int times) {
        asked.set(0);
        return wait.until(() -> asked.incrementAndGet() > times);
    }

    @Test
    void whatIsThereIsNotWaitedFor() {
        assertThat(comesAfter(0)).isTrue();
        assertThat(asked).hasValue(1);
    }

    /** With one processor, nothing can come while this thread has it. */
    @Test
    void whatComesSoonIsSeen() {
        assertThat(comesAfter(2)).isNotEqualTo(ONE_PROCESSOR);
    }

    @Test
    void whatDoesNotComeIsWaitedForSeldom() {
        int tried = 0;
        for (int i = 0; i < 640; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
            tried += asked.get() > 1 ? 1 : 0;
        }

        // The first three, and each sixty-fourth.
        assertThat(tried).isEqualTo(ONE_PROCESSOR ? 0 : 12);
    }

    @Test
    void whatComesSoonAgainIsWaitedForAgain() {
        for (int i = 0; i < 64; i++) {
            assertThat(comesAfter(Integer.MAX_VALUE)).isFalse();
        }

        assertThat(comesAfter(1)).isNotEqualTo(ONE_PROCESSOR);
        assertThat(comesAfter(1)).isNotEqualTo(ONE_PROCESSOR);
    }
}
