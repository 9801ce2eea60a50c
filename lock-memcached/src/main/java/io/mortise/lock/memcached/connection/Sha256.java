// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of text. */
public final class Sha256 {
    private Sha256() {}

    /** Of the UTF-16 units, unpaired surrogates too. */
    public static String hex(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(bytes(text)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** UTF-8 where that can tell all strings apart; else their units, after a byte that begins no UTF-8. */
    private static byte[] bytes(String text) {
        byte[] bytes = new byte[1 + 2 * text.length()];
        if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        bytes[0] = (byte) 0xff;
        for (int i = 0; i < text.length(); i++) {
            bytes[1 + 2 * i] = (byte) (text.charAt(i) >> 8);
            bytes[2 + 2 * i] = (byte) text.charAt(i);
        }
        return bytes;
    }
}
