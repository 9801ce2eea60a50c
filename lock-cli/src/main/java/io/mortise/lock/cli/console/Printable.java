// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

/**
 * Escapes text that is printed: names and labels are any strings, and a terminal must not take one for a command or
 * for two lines.
 */
public final class Printable {
    private Printable() {}

    /** The text with everything invisible, and the backslash, written as {@code \}{@code u{hexadecimal}}. */
    public static String of(String text) {
        StringBuilder visible = new StringBuilder();
        text.codePoints().forEach(point -> {
            switch (Character.getType(point)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.SURROGATE,
                        Character.PRIVATE_USE,
                        Character.UNASSIGNED,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR -> escape(visible, point);
                default -> {
                    if (point == '\\') {
                        escape(visible, point);
                    } else {
                        visible.appendCodePoint(point);
                    }
                }
            }
        });
        return visible.toString();
    }

    private static void escape(StringBuilder visible, int point) {
        visible.append("\\u{").append(Integer.toHexString(point)).append('}');
    }
}
