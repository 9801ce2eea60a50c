// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Owners of members' claims: 128 random bits for each seat. */
public final class Owners {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Owners() {}

    public static String random() {
        byte[] owner = new byte[16];
        RANDOM.nextBytes(owner);
        return HexFormat.of().formatHex(owner);
    }
}
