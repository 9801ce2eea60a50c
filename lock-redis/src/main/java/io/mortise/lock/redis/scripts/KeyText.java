// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.spi.support.EscapedText;

/**
 * Makes any text safe as a part of a Redis key: replaces each character that has a meaning in Redis' patterns, in its hash
 * slots or in our scripts by an escape that has none. The empty text becomes a lone {@code %}.
 */
public final class KeyText {
    private static final EscapedText CODE = new EscapedText("/.:_-@#=+,;~");
    private static final String EMPTY = "%";

    private KeyText() {}

    public static String encode(String text) {
        return text.isEmpty() ? EMPTY : encodePrefix(text);
    }

    /** What the codes of all texts begin with that begin with this one. */
    static String encodePrefix(String text) {
        return CODE.encode(text);
    }

    public static String decode(String code) {
        return code.equals(EMPTY) ? "" : CODE.decode(code);
    }

    public static boolean isPlain(String text) {
        return CODE.encode(text).equals(text);
    }
}
