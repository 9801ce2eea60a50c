// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration shows what it promises. */
class DemoTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("with the lock no coupon is sold twice, and the last line is JSON")
    void withLock() {
        try (Mortise demo =
                Mortise.start(directory, "demo", "coupons", "--json", "--buyers", "60", "--coupons", "30")) {
            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(demo.out())
                    .matches("\\{\"sold\":30,\"oversold\":0,\"lost\":0,\"processes\":3,"
                            + "\"wait_p50_ms\":\\d+,\"wait_p99_ms\":\\d+}\n");
            assertThat(demo.err()).contains("process 3 sold", "the lock holds");
        }
    }

    @Test
    @DisplayName("without the lock coupons are sold twice")
    void withoutLock() {
        try (Mortise demo = Mortise.start(directory, "demo", "coupons", "--without-lock")) {
            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(demo.out()).contains("without a lock").doesNotContain("oversold 0");
        }
    }

    @Test
    @DisplayName("a store that lives in one process is refused for several")
    void memory() {
        try (Mortise demo = Mortise.start(directory, "demo", "coupons", "--store", "memory:x")) {
            assertThat(demo.exitCode()).isEqualTo(64);
            assertThat(demo.err()).contains("one process");
        }
    }
}
