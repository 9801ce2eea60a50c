// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.memcached.connection.Sha256;

/**
 * Makes the keys of a client's items: {@code PREFIX + readable part + "~" + SHA-256 of the name}, at most 250 bytes of ASCII
 * without blanks. Stable forever: versions of this library share servers.
 *
 * @param prefix what all keys begin with
 */
public record Keys(String prefix) {
    /** The prefix where none is set. */
    public static final String DEFAULT_PREFIX = "mortise:";

    static final int LONGEST_PREFIX = 100;
    private static final int READABLE = 64;
    private static final String PLAIN_SIGNS = "/.:_-@";

    /**
     * Keys with a prefix.
     *
     * @throws LockConfigurationException if memcached cannot take the prefix
     */
    public Keys {
        if (!prefix.matches("[!-~]{0," + LONGEST_PREFIX + "}")) {
            throw new LockConfigurationException("a prefix is at most " + LONGEST_PREFIX
                    + " visible ASCII characters without blanks, not '" + prefix + "'");
        }
    }

    /** The key of a lock's item. */
    public String lock(String name) {
        StringBuilder readable = new StringBuilder(READABLE);
        name.chars().limit(READABLE).forEach(unit -> readable.append(isPlain(unit) ? (char) unit : '_'));
        return prefix + readable + "~" + Sha256.hex(name);
    }

    /** The key under which an immediate revocation leaves its reason for the owner whose lock it took. */
    String revocation(String owner) {
        return prefix + "~revoked~" + Sha256.hex(owner);
    }

    private static boolean isPlain(int unit) {
        return (unit >= 'a' && unit <= 'z')
                || (unit >= 'A' && unit <= 'Z')
                || (unit >= '0' && unit <= '9')
                || PLAIN_SIGNS.indexOf(unit) >= 0;
    }
}
