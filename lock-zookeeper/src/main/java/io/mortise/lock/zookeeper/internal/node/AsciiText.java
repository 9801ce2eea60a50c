// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import io.mortise.lock.spi.support.EscapedText;
import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;

/** Encodes any string as ASCII without controls and slashes: an {@link EscapedText} with {@code |} for a slash. */
final class AsciiText {
    private static final EscapedText CODE = new EscapedText("._:@-+=,");
    private static final String SLASH = CODE.encode("/");

    private AsciiText() {}

    static String encode(String text) {
        return CODE.encode(text).replace(SLASH, "|");
    }

    /** Throws {@link IllegalArgumentException} if nothing was encoded so. */
    static String decode(String code) {
        return CODE.decode(code.replace("|", SLASH));
    }

    /** SHA-256 of any string, in 64 lower-case hexadecimal digits. */
    static String sha256(String text) {
        // The bytes of a lone surrogate would be those of a question mark; its code is its own.
        return Sha256.hex(encode(text).getBytes(StandardCharsets.US_ASCII));
    }
}
