// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.jdbc.sql.LockKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasedRowsTest {
    private static final LockKey A = LockKey.of("a");

    private long now;

    /** Also where the clock is negative, and where its lower half begins anew. */
    @ParameterizedTest
    @ValueSource(longs = {0, -3_000, 1_700_000_000_000L, (1L << 31) - 1_000, (1L << 32) - 1_000, -(1L << 31) - 1_000})
    void rowsAreThereForFourSeconds(long startMillis) {
        ReleasedRows rows = new ReleasedRows(() -> now);
        at(startMillis);
        rows.released(A);
        assertThat(rows.isLikelyThere(A)).isTrue();
        assertThat(rows.isLikelyThere(LockKey.of("b"))).isFalse();
        at(startMillis + 3_999);
        assertThat(rows.isLikelyThere(A)).isTrue();
        at(startMillis + 4_000);
        assertThat(rows.isLikelyThere(A)).isFalse();
        rows.released(A);
        assertThat(rows.isLikelyThere(A)).isTrue();
        at(startMillis + 4_000 + TimeUnit.DAYS.toMillis(30));
        assertThat(rows.isLikelyThere(A)).isFalse();
    }

    private void at(long millis) {
        now = TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
