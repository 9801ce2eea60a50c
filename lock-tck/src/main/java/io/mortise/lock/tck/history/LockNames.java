// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import java.util.Collection;
import java.util.Locale;

/** Prints names so that two that differ never look alike. */
public final class LockNames {
    private static final int LONG = 80;
    private static final int EDGE = 30;

    private LockNames() {}

    /**
     * A name in quotes; a long one with its beginning, its end and its length, unless that is true of another one, too.
     *
     * @param name to print
     * @param all the names among which it is to be told apart
     */
    public static String told(String name, Collection<String> all) {
        String brief = brief(name);
        boolean shared = all.stream()
                .anyMatch(other -> !other.equals(name) && brief(other).equals(brief));
        return shared ? quoted(name) + " (" + name.length() + " characters)" : brief;
    }

    private static String brief(String name) {
        return name.length() <= LONG
                ? quoted(name)
                : quoted(name.substring(0, EDGE)) + " … " + quoted(name.substring(name.length() - EDGE)) + " ("
                        + name.length() + " characters)";
    }

    private static String quoted(String name) {
        return '"' + printable(name.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** The text with an escape for each character that may be invisible, move others or look like another. */
    public static String printable(String text) {
        StringBuilder printed = new StringBuilder();
        text.chars().forEach(unit -> {
            if ((unit >= ' ' && unit < 127) || unit == '…') {
                printed.append((char) unit);
            } else {
                printed.append(String.format(Locale.ROOT, "\\u%04x", unit));
            }
        });
        return printed.toString();
    }
}
