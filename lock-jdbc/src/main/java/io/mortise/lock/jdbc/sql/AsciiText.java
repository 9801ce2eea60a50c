// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

/**
 * Any string as lower-case ASCII, one code for each UTF-16 unit, so that no collation, code page or padding rule of a
 * database can make two strings one. Small letters, digits and some signs stand for themselves, {@code ^a} for A, and
 * {@code %} with four hexadecimal digits for everything else. The code of a prefix is a prefix of the code.
 */
public final class AsciiText {
    private static final String PLAIN_SIGNS = "/.:_-@";

    private AsciiText() {}

    public static String encode(String text) {
        StringBuilder code = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || PLAIN_SIGNS.indexOf(c) >= 0) {
                code.append(c);
            } else if (c >= 'A' && c <= 'Z') {
                code.append('^').append((char) (c + ('a' - 'A')));
            } else {
                code.append('%');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    code.append(Character.forDigit((c >> shift) & 0xf, 16));
                }
            }
        }
        return code.toString();
    }

    public static String decode(String code) {
        StringBuilder text = new StringBuilder(code.length());
        int i = 0;
        while (i < code.length()) {
            char c = code.charAt(i);
            if (c == '^') {
                text.append((char) (code.charAt(i + 1) - ('a' - 'A')));
                i += 2;
            } else if (c == '%') {
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
