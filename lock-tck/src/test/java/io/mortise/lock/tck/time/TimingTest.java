// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimingTest {
    /** A stall that takes an answer from the first run of a case takes it from the next run, too, if that has no more time. */
    @Test
    void aCaseThatIsRunAgainHasMoreTimeForEverything() {
        Timing first = new Timing(Duration.ofMillis(1), 1);
        Timing again = first.times(3);

        assertThat(again.callLimit()).isEqualTo(first.callLimit().multipliedBy(3));
        assertThat(again.tolerance()).isEqualTo(first.tolerance().multipliedBy(3));
        assertThat(again.limit()).isEqualTo(first.limit().multipliedBy(3));
    }
}
