// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAndPortTest {
    @ParameterizedTest
    @CsvSource({
        "localhost, localhost:2181",
        "localhost:1, localhost:1",
        "my_host.example:65535, my_host.example:65535",
        "[::1], [::1]:2181",
        "[fe80::1%eth0]:99, [fe80::1%eth0]:99"
    })
    void aServerIsRead(String text, String shown) {
        assertThat(HostAndPort.parse(text, 2181)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":2181",
                "host:",
                "host:0",
                "host:65536",
                "host:123456",
                "::1",
                "a b",
                "[]",
                "h:1:2",
                "a@b",
                "a/b",
                "a#b"
            })
    void whatIsNoServerIsRefused(String text) {
        assertThatThrownBy(() -> HostAndPort.parse(text, 2181))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("is not a host and a port, such as localhost:2181");
    }

    @Test
    void aPasswordBehindAForgottenHostIsNotShown() {
        assertThatThrownBy(() -> HostAndPort.parse("user:secret\nword", 2181))
                .hasMessageContaining("'user:…'")
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("word\n");
    }

    @Test
    void aUrlNamesEachServerOnce() {
        assertThat(HostAndPort.parseAll(List.of("a", "b:1"), 5)).hasToString("[a:5, b:1]");
        assertThatThrownBy(() -> HostAndPort.parseAll(List.of("a", "a:5"), 5)).hasMessageContaining("a:5 twice");
        assertThatThrownBy(() -> HostAndPort.parseAll(List.of(), 5)).hasMessageContaining("names no server");
    }
}
