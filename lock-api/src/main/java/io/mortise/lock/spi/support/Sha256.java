// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 hashes, for keys that must be short and for owner IDs that must not be shown. */
public final class Sha256 {
    private Sha256() {}

    /**
     * {@return the digest of some bytes, in 64 lower-case hexadecimal digits}
     *
     * @param bytes any bytes. The bytes of a text must tell all texts apart: UTF-8 has one code for all unpaired surrogates,
     *     an {@link EscapedText} has not
     */
    public static String hex(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
