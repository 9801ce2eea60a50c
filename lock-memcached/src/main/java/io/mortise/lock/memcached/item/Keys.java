// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * Makes the keys of a client's items: {@code PREFIX + readable part + "~" + SHA-256 of the name}, at most 250 bytes of ASCII
 * without blanks. Stable forever: versions of this library share servers.
 */
public record Keys(String prefix) {
    public static final String DEFAULT_PREFIX = "mortise:";

    static final int LONGEST_PREFIX = 100;
    private static final int READABLE = 64;
    private static final String PLAIN_SIGNS = "/.:_-@";

    /** Throws {@link LockConfigurationException} if memcached cannot take the prefix. */
    public Keys {
        if (!prefix.matches("[!-~]{0," + LONGEST_PREFIX + "}")) {
            throw new LockConfigurationException("a prefix is at most " + LONGEST_PREFIX
                    + " visible ASCII characters without blanks, not '" + prefix + "'");
        }
    }

    public String lock(String name) {
        StringBuilder readable = new StringBuilder(READABLE);
        name.chars().limit(READABLE).forEach(unit -> readable.append(isPlain(unit) ? (char) unit : '_'));
        return prefix + readable + "~" + sha256(name);
    }

    /** The key under which an immediate revocation leaves its reason for the owner whose lock it took. */
    String revocation(String owner) {
        return prefix + "~revoked~" + sha256(owner);
    }

    /** Of UTF-8 where that can tell all strings apart; else of the UTF-16 units, after a byte that begins no UTF-8. */
    private static String sha256(String text) {
        if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = new byte[1 + 2 * text.length()];
        bytes[0] = (byte) 0xff;
        for (int i = 0; i < text.length(); i++) {
            bytes[1 + 2 * i] = (byte) (text.charAt(i) >> 8);
            bytes[2 + 2 * i] = (byte) text.charAt(i);
        }
        return Sha256.hex(bytes);
    }

    private static boolean isPlain(int unit) {
        return (unit >= 'a' && unit <= 'z')
                || (unit >= 'A' && unit <= 'Z')
                || (unit >= '0' && unit <= '9')
                || PLAIN_SIGNS.indexOf(unit) >= 0;
    }
}
