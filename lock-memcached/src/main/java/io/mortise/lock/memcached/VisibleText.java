// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.support.EscapedText;

/** Any string as visible ASCII without blanks. */
final class VisibleText {
    private static final EscapedText CODE = new EscapedText("!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~");

    private VisibleText() {}

    static String encode(String text) {
        return CODE.encode(text);
    }

    /** Throws {@link IllegalArgumentException} for what was not made by {@link #encode}. */
    static String decode(String code) {
        return CODE.decode(code);
    }
}
