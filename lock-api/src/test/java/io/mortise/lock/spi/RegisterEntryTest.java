// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegisterEntryTest {
    @Test
    void noTwoEntriesHaveOneVersion() {
        RegisterEntry entry = RegisterEntry.of("window=DUAL");
        assertThat(entry.text()).isEqualTo("window=DUAL");
        assertThat(entry.version()).matches("[0-9a-f]{32}");
        assertThat(RegisterEntry.of("window=DUAL").version()).isNotEqualTo(entry.version());
    }

    @Test
    void otherEntriesAreRefused() {
        String version = "0123456789abcdef0123456789abcdef";
        assertThat(new RegisterEntry(version, "~".repeat(RegisterEntry.LONGEST_TEXT)).version())
                .isEqualTo(version);
        assertThatThrownBy(() -> new RegisterEntry(version, "~".repeat(RegisterEntry.LONGEST_TEXT + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 2000 characters");
        assertThatThrownBy(() -> RegisterEntry.of("caf\u00e9")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RegisterEntry.of("two\nlines")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RegisterEntry("7", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32 lower-case hexadecimal digits");
    }

    @Test
    void namesFitIntoEveryStore() {
        assertThat(RegisterEntry.checkName("orders-2026")).isEqualTo("orders-2026");
        assertThat(RegisterEntry.checkName("a".repeat(63))).hasSize(63);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "A", "a b", "a/b", "a_b", "\u00e9", "a\n"})
    void otherNamesAreRefused(String name) {
        assertThatThrownBy(() -> RegisterEntry.checkName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lower-case letters, digits and hyphens");
    }
}
