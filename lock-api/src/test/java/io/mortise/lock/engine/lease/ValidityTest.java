// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ValidityTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void countsFromBeforeTheRequestAndAllowsForDrift() {
        Moment asked = Moment.now(ticker);
        ticker.advance(Duration.ofSeconds(3));
        Validity validity = Validity.of(asked, Duration.ofSeconds(10), Duration.ZERO, 0.01);
        assertThat(validity.remaining(ticker))
                .isEqualTo(Duration.ofMillis(6_898).toNanos());
        assertThat(Validity.usable(Duration.ofSeconds(100), 0.08))
                .isEqualTo(Duration.ofMillis(91_998).toNanos());
    }

    /** So a lease must be longer than 2.02 ms with the usual drift, whatever the store can honour. */
    @Test
    void theFloorIsWhereNothingIsLeft() {
        assertThat(Validity.floor(0.01)).isEqualTo(Duration.ofNanos(2_020_203));
        assertThat(Validity.usable(Validity.floor(0.01), 0.01)).isZero();
        assertThat(Validity.usable(Validity.floor(0.01).plusNanos(1), 0.01)).isPositive();
        LockOptions tooShort = LockOptions.defaults().withLease(Duration.ofMillis(2));
        try (LockClient locks = LockClient.connect("memory:")) {
            assertThatThrownBy(() -> locks.lock("a", tooShort))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("longer than PT0.002020203S");
        }
    }

    @Test
    void wallTimeOnlyShortens() {
        Validity validity = Validity.of(Moment.now(ticker), Duration.ofSeconds(10), Duration.ZERO, 0);
        ticker.suspend(Duration.ofMillis(20));
        assertThat(validity.remaining(ticker))
                .isEqualTo(Duration.ofMillis(9_998).toNanos());
        ticker.suspend(Duration.ofMillis(1));
        assertThat(validity.remaining(ticker))
                .isEqualTo(Duration.ofMillis(9_977).toNanos());
        ticker.suspend(Duration.ofDays(-1));
        assertThat(validity.remaining(ticker))
                .isEqualTo(Duration.ofMillis(9_998).toNanos());
    }

    @Test
    void spentTimeOnlyShortens() {
        Moment asked = Moment.now(ticker);
        Duration lease = Duration.ofSeconds(10);
        Validity validity = Validity.of(asked, lease, Duration.ofSeconds(4), 0);
        assertThat(validity.remaining(ticker))
                .isEqualTo(Duration.ofMillis(5_998).toNanos());
        assertThat(validity.asked().nanos() + validity.nanos()).isEqualTo(asked.nanos() + validity.remaining(ticker));
        assertThat(validity.granted()).isEqualTo(Duration.ofSeconds(6).toNanos());
        assertThat(Validity.of(asked, lease, Duration.ofDays(-1), 0).remaining(ticker))
                .isEqualTo(Duration.ofMillis(9_998).toNanos());
        assertThat(Validity.of(asked, lease, Duration.ofSeconds(Long.MAX_VALUE), 0)
                        .remaining(ticker))
                .isNegative();
        assertThat(Validity.of(asked, lease, Duration.ofSeconds(Long.MIN_VALUE), 0)
                        .remaining(ticker))
                .isEqualTo(Duration.ofMillis(9_998).toNanos());
    }

    @Test
    void theLongestLeaseDoesNotOverflow() {
        ticker.advance(Duration.ofDays(36_500));
        Validity validity = Validity.of(Moment.now(ticker), Duration.ofDays(3_650), Duration.ZERO, 0.49);
        assertThat(validity.remaining(ticker))
                .isGreaterThan(Duration.ofDays(1_800).toNanos());
    }
}
