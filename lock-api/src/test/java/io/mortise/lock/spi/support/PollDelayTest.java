// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollDelayTest {
    @Test
    void pausesGrowByHalfUpToTheLongestAndBeginAgain() {
        PollDelay delay = new PollDelay(Duration.ofNanos(100), Duration.ofNanos(200));

        assertThat(delay.nextNanos()).isBetween(50L, 100L);
        assertThat(delay.nextNanos()).isBetween(75L, 150L);
        assertThat(delay.nextNanos()).isBetween(100L, 200L);
        assertThat(delay.nextNanos()).isBetween(100L, 200L);
        delay.reset();
        assertThat(delay.nextNanos()).isBetween(50L, 100L);
    }
}
