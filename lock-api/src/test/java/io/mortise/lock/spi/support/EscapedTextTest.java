// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EscapedTextTest {
    private static final EscapedText CODE = new EscapedText("/.:");

    @ParameterizedTest
    @CsvSource({
        "Orders/42, Orders/42",
        "a b, a%0020b",
        "50%, 50%0025",
        "ü, %00fc",
        "🔒, %d83d%dd12",
        "_, %005f",
        "'', ''"
    })
    void whatIsNotPlainIsEscaped(String text, String code) {
        assertThat(CODE.encode(text)).isEqualTo(code);
        assertThat(CODE.decode(code)).isEqualTo(text);
    }

    @Test
    void everyCharacterComesBackEvenOneThatIsHalf() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            String text = "a" + (char) c + "b";
            assertThat(CODE.decode(CODE.encode(text))).isEqualTo(text);
            assertThat(CODE.encode(text)).startsWith(CODE.encode(text.substring(0, 2)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%004", "a%00", "%+041", "%00g1", "% 041"})
    void whatIsNoCodeIsRefused(String code) {
        assertThatThrownBy(() -> CODE.decode(code)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theEscapeCannotStandForItself() {
        assertThatThrownBy(() -> new EscapedText("/%")).isInstanceOf(IllegalArgumentException.class);
    }
}
