// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseBoundsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void boundsAreInclusive() {
        LeaseBounds bounds = new LeaseBounds(SECOND, SECOND.multipliedBy(3));

        assertThat(bounds.allow(SECOND)).isTrue();
        assertThat(bounds.allow(SECOND.multipliedBy(3))).isTrue();
        assertThat(bounds.allow(SECOND.minusNanos(1))).isFalse();
        assertThat(bounds.allow(SECOND.multipliedBy(3).plusNanos(1))).isFalse();
    }

    @Test
    void withoutSessionsACrashFreesTheLockAfterTheLease() {
        assertThat(LeaseBounds.WIDEST.freeAfterCrash(SECOND)).isEqualTo(SECOND);
    }

    @Test
    void withSessionsACrashFreesTheLockAfterTheLongerOfBoth() {
        LeaseBounds bounds = new LeaseBounds(SECOND, SECOND.multipliedBy(30), SECOND.multipliedBy(20));

        assertThat(bounds.freeAfterCrash(SECOND)).isEqualTo(SECOND.multipliedBy(20));
        assertThat(bounds.freeAfterCrash(SECOND.multipliedBy(30))).isEqualTo(SECOND.multipliedBy(30));
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseBounds(SECOND, SECOND.minusNanos(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseBounds(Duration.ZERO, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseBounds(SECOND, SECOND, SECOND.negated()));
    }
}
