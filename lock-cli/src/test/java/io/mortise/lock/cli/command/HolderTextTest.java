// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HolderTextTest {
    @Test
    @DisplayName("durations are short")
    void durations() {
        assertThat(HolderText.duration(Duration.ofMillis(28_449))).isEqualTo("28.4s");
        assertThat(HolderText.duration(Duration.ofSeconds(3661))).isEqualTo("1h1m1s");
    }
}
