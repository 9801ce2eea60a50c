// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What owners and prefixes of names are made of. */
final class RandomText {
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomText() {}

    static String hex(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
