// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

/** Any string as visible ASCII without blanks: {@code %} and four hexadecimal digits for every other UTF-16 unit. */
final class VisibleText {
    private VisibleText() {}

    static String encode(String text) {
        StringBuilder code = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > ' ' && c <= '~' && c != '%') {
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

    /** Throws {@link IllegalArgumentException} for what was not made by {@link #encode}. */
    static String decode(String code) {
        StringBuilder text = new StringBuilder(code.length());
        int i = 0;
        while (i < code.length()) {
            char c = code.charAt(i);
            if (c == '%') {
                if (i + 5 > code.length()) {
                    throw new IllegalArgumentException("cut off: " + code);
                }
                text.append((char) Integer.parseInt(code, i + 1, i + 5, 16));
                i += 5;
            } else {
                text.append(c);
                i++;
            }
        }
        return text.toString();
    }
}
