// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeysTest {
    private final Keys keys = new Keys("mortise:");

    /** Were one of these to change, a client of the new version would not see the locks of the old one. */
    @Test
    void keysNeverChange() {
        Map<String, String> golden = Map.of(
                "orders/42",
                "mortise:orders/42~c4dd165f06c35f87f80d9c755d8703efce751ab5c5f0efc6a819993f57629ced",
                "",
                "mortise:~e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "Müller & Söhne\r\n",
                "mortise:M_ller___S_hne__~e61c0a6ad035ea4cce5783cfece71e417e1cc0fd49a1df0b5e59ecbb6c2fb82d",
                "a\ud800b",
                "mortise:a_b~a402d90db0bc6684bd6244138e85f2637af298bf2c9af6db34d04f6e40085789",
                "\ud83d\udd12",
                "mortise:__~6ae1d2ee2e9592ea2e665661450a09fed95f7652324c4801c47aafe618daf96f",
                "x".repeat(300),
                "mortise:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx~0d4e2ca9e9cbced7a7a5380eb29e1a3783b9b6d0db72de36a1051038e1c1fbc7");

        golden.forEach((name, key) -> assertThat(keys.lock(name)).as(name).isEqualTo(key));
        assertThat(new Keys("shop1.").lock("orders/42"))
                .isEqualTo("shop1.orders/42~c4dd165f06c35f87f80d9c755d8703efce751ab5c5f0efc6a819993f57629ced");
        assertThat(keys.revocation("0123456789abcdef0123456789abcdef"))
                .isEqualTo("mortise:~revoked~3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9");
    }

    @Test
    void everyKeyIsValidForMemcached() {
        Keys longest = new Keys("p".repeat(Keys.LONGEST_PREFIX));
        for (String name : List.of("", "\0\n\r\t ", "\udfff", "name ".repeat(1000), "漢字".repeat(99))) {
            assertThat(longest.lock(name)).matches("[!-~]{1,250}");
        }
    }

    @Test
    void namesThatDifferInOneUnitHaveDifferentKeys() {
        assertThat(List.of("\ud800", "\udfff", "?", "\ufffd", "\ud800\udc00", "", " ").stream()
                        .map(keys::lock))
                .doesNotHaveDuplicates();
    }

    @Test
    void prefixesKeepClientsApart() {
        assertThat(new Keys("a:").lock("b:x")).isNotEqualTo(new Keys("a:b:").lock("x"));
        assertThat(new Keys("").lock("x")).isNotEqualTo(new Keys("x").lock(""));
    }

    @Test
    void anInvalidPrefixIsRefused() {
        for (String prefix : List.of("a b", "a\n", "ä", "p".repeat(Keys.LONGEST_PREFIX + 1))) {
            assertThatThrownBy(() -> new Keys(prefix)).isInstanceOf(LockConfigurationException.class);
        }
    }
}
