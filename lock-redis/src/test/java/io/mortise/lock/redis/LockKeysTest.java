// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redis.connections.ClusterConnections;
import io.mortise.lock.redis.connections.ClusterMasters;
import io.mortise.lock.redis.connections.LazyClient;
import io.mortise.lock.redis.scripts.LockKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.util.JedisClusterCRC16;

/** B6, B7, P2: names become keys that never change, never collide, and lie in one slot. */
class LockKeysTest {
    private static final String PREFIX = RedisBackendBuilder.DEFAULT_PREFIX;

    /** These may never change: versions of this library that share a server must exclude each other. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "orders,mortise:{orders}",
                "Orders/42.eu_1:a-b@c#d=e+f;g~h,mortise:{Orders/42.eu_1:a-b@c#d=e+f;g~h}",
                "\"\",mortise:{%}",
                "%,mortise:{%0025}",
                "a b,mortise:{a%0020b}",
                "{a}b{c},mortise:{%007ba%007db%007bc%007d}",
                "*?[a]\\,mortise:{%002a%003f%005ba%005d%005c}",
                "\u00e9,mortise:{%00e9}",
                "e\u0301,mortise:{e%0301}",
                "\ud83d\udd12,mortise:{%d83d%dd12}",
            })
    void keysOfNamesNeverChange(String name, String key) {
        assertThat(LockKeys.of(PREFIX, name).lock()).isEqualTo(key);
        assertThat(LockKeys.name(PREFIX, key)).isEqualTo(name);
    }

    @Test
    void keysOfNamesThatAreNoValidTextNeverChange() {
        assertThat(LockKeys.of(PREFIX, "\ud83d").lock()).isEqualTo("mortise:{%d83d}");
        assertThat(LockKeys.of(PREFIX, "\u0000\n").lock()).isEqualTo("mortise:{%0000%000a}");
    }

    @Test
    void theOtherKeysNeverChange() {
        LockKeys keys = LockKeys.of(PREFIX, "orders");

        assertThat(keys.token()).isEqualTo("mortise:{orders}:token");
        assertThat(keys.queue()).isEqualTo("mortise:{orders}:queue");
        assertThat(keys.ended("00ff")).isEqualTo("mortise:{orders}:ended:00ff");
    }

    @Test
    void differentNamesHaveDifferentKeysThatTellTheName() {
        Map<String, String> names = new HashMap<>();
        Random random = new Random(17);
        String signs = "ab%{}*:/0\u00e9\ud83d\udd12\u0000 ";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                name.append(signs.charAt(random.nextInt(signs.length())));
            }
            String key = LockKeys.of(PREFIX, name.toString()).lock();
            assertThat(LockKeys.name(PREFIX, key)).isEqualTo(name.toString());
            assertThat(names.computeIfAbsent(key, unused -> name.toString())).isEqualTo(name.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "{", "}", "{}", "a{b}c", "}{", "\u0000", " ", "%"})
    void allKeysOfALockAreInOneSlot(String name) {
        for (String prefix : List.of("", PREFIX, "team/app:")) {
            LockKeys keys = LockKeys.of(prefix, name);

            assertThat(List.of(keys.lock(), keys.token(), keys.queue(), keys.ended("00ff")))
                    .extracting(JedisClusterCRC16::getSlot)
                    .containsOnly(keys.slot());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b}", "{", "a b", "a*", "a\u00e9", "%41", "a\n"})
    void aPrefixThatWouldChangeTheSlotOrThePatternIsRefused(String prefix) {
        RedisBackendBuilder builder = new RedisBackendBuilder(new ClusterMasters(
                LazyClient.<ClusterConnections>made(
                        () -> {
                            throw new AssertionError("nothing is asked");
                        },
                        ClusterConnections::close),
                "Redis"));

        assertThatThrownBy(() -> builder.prefix(prefix))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("prefix");
    }

    @Test
    void aPatternMatchesTheHoldersKeysOnly() {
        assertThat(LockKeys.pattern(PREFIX, "a*b")).isEqualTo("mortise:{a%002ab*}");
        assertThat(LockKeys.pattern(PREFIX, "")).isEqualTo("mortise:{*}");
    }
}
