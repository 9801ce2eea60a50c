// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import java.util.Locale;

/** Texts as JSON has them. */
public final class JsonText {
    private JsonText() {}

    /** A text between quotation marks, in pure ASCII whatever it says. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(unit -> {
            if (unit == '"' || unit == '\\') {
                quoted.append('\\').append((char) unit);
            } else if (unit < ' ' || unit > '~') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", unit));
            } else {
                quoted.append((char) unit);
            }
        });
        return quoted.append('"').toString();
    }
}
