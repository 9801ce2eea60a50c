// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.spi.support.EscapedText;

/**
 * Any text in letters that mean nothing to Redis, its patterns, its slots and our scripts, with a lone {@code %} for the empty
 * text.
 */
public final class KeyText {
    private static final EscapedText CODE = new EscapedText("/.:_-@#=+,;~");
    private static final String EMPTY = "%";

    private KeyText() {}

    public static String encode(String text) {
        return text.isEmpty() ? EMPTY : encodePrefix(text);
    }

    /** As {@link #encode}, but what the codes of all texts begin with that begin so. */
    static String encodePrefix(String text) {
        return CODE.encode(text);
    }

    public static String decode(String code) {
        return code.equals(EMPTY) ? "" : CODE.decode(code);
    }

    /** Whether a text consists of signs that stand for themselves. */
    public static boolean isPlain(String text) {
        return CODE.isPlain(text);
    }
}
