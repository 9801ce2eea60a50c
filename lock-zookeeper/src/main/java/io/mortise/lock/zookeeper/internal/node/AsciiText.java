// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import io.mortise.lock.spi.support.EscapedText;

/** Any string as ASCII without controls and slashes: an {@link EscapedText} with {@code |} for a slash. */
public final class AsciiText {
    private static final EscapedText CODE = new EscapedText("._:@-+=,");
    private static final String SLASH = CODE.encode("/");

    private AsciiText() {}

    public static String encode(String text) {
        return CODE.encode(text).replace(SLASH, "|");
    }

    /**
     * What was encoded so.
     *
     * @throws IllegalArgumentException if nothing was
     */
    public static String decode(String code) {
        return CODE.decode(code.replace("|", SLASH));
    }
}
