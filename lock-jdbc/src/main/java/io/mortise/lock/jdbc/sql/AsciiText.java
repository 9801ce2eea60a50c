// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.support.EscapedText;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Encodes any string as lower-case ASCII, one code for each UTF-16 unit, so that no collation, code page or padding
 * rule of a database can make two strings one: an {@link EscapedText} with {@code ^a} for A. The code of a prefix is a
 * prefix of the code.
 */
public final class AsciiText {
    private static final EscapedText ESCAPED = new EscapedText("/.:_-@");
    private static final Pattern UPPER_CASE = Pattern.compile("[A-Z]");
    private static final Pattern MARKED = Pattern.compile("\\^([a-z])");

    private AsciiText() {}

    public static String encode(String text) {
        return UPPER_CASE
                .matcher(ESCAPED.encode(text))
                .replaceAll(letter -> "^" + letter.group().toLowerCase(Locale.ROOT));
    }

    public static String decode(String code) {
        return ESCAPED.decode(
                MARKED.matcher(code).replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT)));
    }
}
