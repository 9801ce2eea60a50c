// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

/**
 * Any text in letters that mean nothing to Redis, its patterns, its slots and our scripts. ASCII letters, digits and some
 * signs stand for themselves, {@code %} with four hexadecimal digits for every other UTF-16 unit, and a lone {@code %} for
 * the empty text. Different texts have different codes, and the code of a prefix is a prefix of the code. Stable for ever:
 * versions of this library share servers.
 */
final class KeyText {
    private static final String PLAIN_SIGNS = "/.:_-@#=+,;~";
    private static final String EMPTY = "%";

    private KeyText() {}

    static String encode(String text) {
        return text.isEmpty() ? EMPTY : encodePrefix(text);
    }

    /** As {@link #encode}, but what the codes of all texts begin with that begin so. */
    static String encodePrefix(String text) {
        StringBuilder code = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                code.append(c);
            } else {
                code.append('%');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    code.append(Character.forDigit((c >> shift) & 0xf, 16));
                }
            }
        }
        return code.toString();
    }

    static String decode(String code) {
        if (code.equals(EMPTY)) {
            return "";
        }
        StringBuilder text = new StringBuilder(code.length());
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '%') {
                text.append((char) Integer.parseInt(code, i + 1, i + 5, 16));
                i += 4;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Whether a text consists of signs that stand for themselves. */
    static boolean isPlain(String text) {
        return text.chars().allMatch(c -> isPlain((char) c));
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PLAIN_SIGNS.indexOf(c) >= 0;
    }
}
