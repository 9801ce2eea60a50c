// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Any bytes and characters can be read and printed. */
class TextTest {
    @Test
    @DisplayName("JSON is ASCII and valid for control characters and lone surrogates")
    void json() {
        String text = new Json()
                .put("a\"b", "\u0000\n\ud800\u00e4\\")
                .put("n", 3)
                .put("x", null)
                .put("t", true)
                .toString();
        assertThat(text).isEqualTo("{\"a\\\"b\":\"\\u0000\\u000a\\ud800\\u00e4\\\\\",\"n\":3,\"x\":null,\"t\":true}");
    }

    @Test
    @DisplayName("characters that a terminal might take for commands are escaped")
    void printable() {
        assertThat(Printable.of("a\u001b[0m\u202eb\ud800 \u00e4\ud83d\ude00"))
                .isEqualTo("a\\u{1b}[0m\\u{202e}b\\u{d800} \u00e4\ud83d\ude00");
    }

    @Test
    @DisplayName("arguments survive in both directions, UTF-8 or not")
    void arguments() {
        byte[] latin = {'a', (byte) 0xe4, (byte) 0xff};
        assertThat(CommandArguments.encode(CommandArguments.decode(latin))).isEqualTo(latin);
        byte[] utf8 = "a\u00e4\ud83d\ude00".getBytes(StandardCharsets.UTF_8);
        assertThat(CommandArguments.decode(utf8)).isEqualTo("a\u00e4\ud83d\ude00");
        assertThat(CommandArguments.encode("a\u00e4\ud83d\ude00")).isEqualTo(utf8);
    }
}
