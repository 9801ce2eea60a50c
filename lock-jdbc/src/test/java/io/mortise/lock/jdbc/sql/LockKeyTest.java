// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockKeyTest {
    /** Versions of this library share tables: what stands here must never change. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "orders/42|orders/42",
                "Orders/42|^orders/42",
                "a b|a%0020b",
                "k |k%0020",
                "^a|%005ea",
                "%0041|%00250041",
                "~|%007e",
                "über|%00fcber",
                "job:nightly_1.2-x@host|job:nightly_1.2-x@host",
                "😀|%d83d%de00",
            })
    void keepsItsGoldenVectors(String name, String key) {
        assertThat(LockKey.of(name).key()).isEqualTo(key);
    }

    @Test
    void keepsItsGoldenVectorsOfSpecialNames() {
        assertThat(LockKey.of("").key()).isEqualTo("%");
        assertThat(LockKey.of("\0").key()).isEqualTo("%0000");
        assertThat(LockKey.of("\ud800").key()).isEqualTo("%d800");
        assertThat(LockKey.of("a".repeat(193))).isEqualTo(new LockKey("a".repeat(193), null));
        assertThat(LockKey.of("a".repeat(194)))
                .isEqualTo(new LockKey(
                        "a".repeat(128) + "~aa73b13a51ab2ca9733957448439927115ed8afba1e2def0792eb50eb68d1655",
                        "a".repeat(194)));
    }

    @Test
    void givesDifferentNamesDifferentKeysOfBoundedLowerCaseAscii() {
        String prefix = "x".repeat(10_000);
        List<String> near = List.of(
                "",
                " ",
                "%",
                "^",
                "~",
                "a",
                "A",
                "^a",
                "a ",
                " a",
                "a\0",
                "é",
                "e\u0301",
                "\ud800",
                "\udc00",
                "?",
                prefix,
                prefix + "1",
                prefix + "2",
                prefix.toUpperCase(java.util.Locale.ROOT),
                "a/b",
                "a/b/",
                "%0041",
                "'; drop");
        Random random = new Random(7);
        Set<String> names = new HashSet<>(near);
        for (int i = 0; i < 20_000; i++) {
            char[] units = new char[random.nextInt(8)];
            for (int unit = 0; unit < units.length; unit++) {
                units[unit] = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65_536));
            }
            names.add(new String(units));
        }
        Set<String> keys = new HashSet<>();
        for (String name : names) {
            LockKey key = LockKey.of(name);
            assertThat(key.key()).matches("[\\x21-\\x7e&&[^A-Z]]{1,193}");
            assertThat(key.key()).isNotEqualTo(LockKey.TABLE_ROW);
            assertThat(keys.add(key.key())).as(name).isTrue();
            assertThat(LockKey.name(key.key(), key.text())).isEqualTo(name);
        }
    }

    @Test
    void givesNamesOfOnePrefixKeysOfOneHead() {
        for (String prefix : List.of("", "a", "Ä", "x".repeat(127), "X".repeat(200), "é".repeat(50))) {
            for (String rest : List.of("", "1", "\ud800", "y".repeat(500))) {
                String key = LockKey.of(prefix + rest).key();
                if (!key.equals("%")) {
                    assertThat(key).startsWith(LockKey.commonHead(prefix));
                }
            }
        }
    }
}
