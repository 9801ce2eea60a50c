// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * An entry of a store's register: a short text, and a version by which writers notice that another one was there before. Immutable.
 *
 * @param version 32 lower-case hexadecimal digits, of this entry alone: a counter would repeat after a store has lost what it kept,
 *     and let a late write hit an entry that it does not know
 * @param text up to {@link #LONGEST_TEXT} printable ASCII characters
 */
public record RegisterEntry(String version, String text) {
    /** How many characters the text may have. */
    public static final int LONGEST_TEXT = 2000;

    private static final int VERSION_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern VERSION = Pattern.compile("[0-9a-f]{" + 2 * VERSION_BYTES + "}");
    private static final Pattern TEXT = Pattern.compile("[ -~]{0," + LONGEST_TEXT + "}");

    /**
     * Checks the entry.
     *
     * @param version 32 lower-case hexadecimal digits
     * @param text printable ASCII characters, not too many
     * @throws IllegalArgumentException if one of them is not so
     */
    public RegisterEntry {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("a version is 32 lower-case hexadecimal digits, not " + version);
        }
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "the text of an entry has at most " + LONGEST_TEXT + " characters, all of them printable ASCII");
        }
    }

    /**
     * {@return an entry with a version that was never used before: 128 random bits}
     *
     * @param text what it says
     * @throws IllegalArgumentException if the text is too long or has other characters than printable ASCII
     */
    public static RegisterEntry of(String text) {
        byte[] version = new byte[VERSION_BYTES];
        RANDOM.nextBytes(version);
        return new RegisterEntry(HexFormat.of().formatHex(version), text);
    }

    /**
     * Checks the name of an entry.
     *
     * @param name up to 63 lower-case letters of ASCII, digits and hyphens, no hyphen first
     * @return the name
     * @throws IllegalArgumentException if it is another
     */
    public static String checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a name in the register has up to 63 lower-case letters, digits and hyphens, and does not begin with a"
                            + " hyphen; '" + name + "' has not");
        }
        return name;
    }
}
