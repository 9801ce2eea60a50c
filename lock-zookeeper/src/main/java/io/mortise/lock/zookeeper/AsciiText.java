// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

/**
 * Any string as ASCII without controls and slashes, one code for each UTF-16 unit: letters, digits and some signs stand for
 * themselves, {@code |} for a slash, and {@code %} with four hexadecimal digits for everything else.
 */
final class AsciiText {
    private static final String PLAIN_SIGNS = "._:@-+=,";

    private AsciiText() {}

    static String encode(String text) {
        StringBuilder code = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                code.append(c);
            } else if (c == '/') {
                code.append('|');
            } else {
                code.append('%');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    code.append(Character.forDigit((c >> shift) & 0xf, 16));
                }
            }
        }
        return code.toString();
    }

    /**
     * What was encoded so.
     *
     * @throws IllegalArgumentException if nothing was
     */
    static String decode(String code) {
        StringBuilder text = new StringBuilder(code.length());
        int i = 0;
        while (i < code.length()) {
            char c = code.charAt(i);
            if (c != '%') {
                text.append(c == '|' ? '/' : c);
                i++;
            } else if (i + 5 <= code.length()) {
                text.append((char) Integer.parseInt(code, i + 1, i + 5, 16));
                i += 5;
            } else {
                throw new IllegalArgumentException("cut in the middle of a character");
            }
        }
        return text.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PLAIN_SIGNS.indexOf(c) >= 0;
    }
}
