// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockPathTest {
    /** B7. Never to be changed: a new version must keep excluding the old one. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "orders/42, orders|42, 9a",
                "Name, Name, dc",
                "\"\", %, e3",
                "., %002e, cd",
                ".., %002e., 5e",
                "a.b, a.b, 2e",
                "\"a b\", a%0020b, 88",
                "a|b, a%007cb, 52",
                "100%, 100%0025, ba",
                "zo\u00eb, zo%00eb, 57",
            })
    void namesHaveFixedPaths(String name, String segment, String shard) {
        assertThat(LockPath.of(name)).isEqualTo(new LockPath(shard, segment));
    }

    @Test
    void longNamesAreCutAndGetAHash() {
        assertThat(LockPath.of("x".repeat(10_000)).segment())
                .isEqualTo("x".repeat(120) + "~" + "e4ee97ec252749d2096447e849628d0d7734f51700416eefbb33574bf0b3ee75");
    }

    @Test
    void codesOfUpTo200CharactersAreKept() {
        assertThat(LockPath.of("x".repeat(200)).segment()).isEqualTo("x".repeat(200));
        assertThat(LockPath.of("x".repeat(201)).segment()).contains("~");
    }

    @Test
    void aSegmentThatWasNotCutGivesTheNameBack() {
        for (String name : List.of("", ".", "..", "a/b|c%", "\ud800", "\uffff\0", "zookeeper")) {
            assertThat(LockPath.name(LockPath.of(name).segment())).contains(name);
        }
        assertThat(LockPath.name(LockPath.of("x".repeat(201)).segment())).isEmpty();
        assertThat(LockPath.name("somebody's%2node")).isEmpty();
    }

    @Test
    void differentStringsHaveDifferentSegments() {
        Random random = new Random(7);
        Set<String> names = new HashSet<>();
        Set<String> segments = new HashSet<>();
        String alphabet = "aA./|%~0e\0\n\u0130\u00e9\ud83d\udd12\ud800\uf8ff\ufff0 ";
        while (names.size() < 20_000) {
            StringBuilder name = new StringBuilder();
            for (int i = random.nextInt(5); i >= 0; i--) {
                name.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            names.add(name.toString());
        }
        for (String name : names) {
            String segment = LockPath.of(name).segment();
            PathUtils.validatePath("/" + segment);
            assertThat(segment).doesNotContain("/");
            segments.add(segment);
        }
        assertThat(segments).hasSameSizeAs(names);
    }
}
