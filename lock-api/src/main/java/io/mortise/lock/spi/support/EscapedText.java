// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.util.HexFormat;

/**
 * Escapes strings for stores to which some characters mean something: ASCII letters, digits and the given signs stay
 * as they are, and every other UTF-16 unit becomes {@code %} with four hexadecimal digits. Different texts have
 * different codes, unpaired surrogates included, and the code of a prefix is a prefix of the code. Stable forever:
 * versions of this library share stores. Immutable.
 */
public final class EscapedText {
    private static final char ESCAPE = '%';
    private static final int DIGITS = 4;
    private static final HexFormat HEX = HexFormat.of();

    private final String signs;

    /**
     * A code.
     *
     * @param signs which signs stand for themselves besides letters and digits, such as {@code "/.:"}; not {@code %}
     * @throws IllegalArgumentException if {@code %} is among them
     */
    public EscapedText(String signs) {
        if (signs.indexOf(ESCAPE) >= 0) {
            throw new IllegalArgumentException("% cannot stand for itself");
        }
        this.signs = signs;
    }

    /**
     * {@return the code of a text: letters, digits, the signs that were given, and {@code %}; empty for the empty text}
     *
     * @param text any text
     */
    public String encode(String text) {
        StringBuilder code = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                code.append(c);
            } else {
                code.append(ESCAPE).append(HEX.toHexDigits(c));
            }
        }
        return code.toString();
    }

    /**
     * {@return the text of a code}
     *
     * @param code what {@link #encode} answered
     * @throws IllegalArgumentException if an escape is cut off or no number
     */
    public String decode(String code) {
        StringBuilder text = new StringBuilder(code.length());
        int i = 0;
        while (i < code.length()) {
            char c = code.charAt(i++);
            if (c != ESCAPE) {
                text.append(c);
            } else if (i + DIGITS <= code.length()) {
                text.append((char) HexFormat.fromHexDigits(code, i, i + DIGITS));
                i += DIGITS;
            } else {
                throw new IllegalArgumentException("cut off in the middle of a character");
            }
        }
        return text.toString();
    }

    private boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || signs.indexOf(c) >= 0;
    }
}
