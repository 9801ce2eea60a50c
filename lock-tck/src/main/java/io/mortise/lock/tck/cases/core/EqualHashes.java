// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Finds different names of which some hash of 32 bits is the same. */
final class EqualHashes {
    private EqualHashes() {}

    /** Hashes that are quick, of bytes in UTF-8. */
    static final List<ToIntFunction<byte[]>> CHECKSUMS =
            List.of(bytes -> checksum(new CRC32(), bytes), bytes -> checksum(new Adler32(), bytes), EqualHashes::fnv1a);

    /** These, and the beginnings of longer ones; for one thread. */
    static List<ToIntFunction<byte[]>> all() {
        List<ToIntFunction<byte[]>> all = new ArrayList<>(CHECKSUMS);
        all.add(digest("MD5"));
        all.add(digest("SHA-256"));
        return all;
    }

    /** A pair of names for each hash; all of them begin with the stem. */
    static List<String> pairs(String stem, List<ToIntFunction<byte[]>> hashes) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < hashes.size(); i++) {
            names.addAll(pair(stem + i + "-", hashes.get(i)));
        }
        return names;
    }

    /** Names with one {@link String#hashCode}, a power of two of them. */
    static List<String> ofStrings(String stem, int count) {
        List<String> names = new ArrayList<>(List.of(stem));
        while (names.size() < count) {
            List<String> longer = new ArrayList<>();
            names.forEach(name -> longer.addAll(List.of(name + "Aa", name + "BB")));
            names = longer;
        }
        return names;
    }

    /** By the birthday paradox, among some ten thousands; without objects, as a case must not take seconds. */
    static List<String> pair(String stem, ToIntFunction<byte[]> hash) {
        byte[] name = (stem + "00000000").getBytes(StandardCharsets.UTF_8);
        // Open addressing: each entry is a hash and the number that gave it.
        long[] seen = new long[1 << 20];
        for (int i = 1; ; i++) {
            number(name, i);
            int hashed = hash.applyAsInt(name);
            int slot = hashed >>> 12;
            while (seen[slot] != 0 && (int) (seen[slot] >>> 32) != hashed) {
                slot = (slot + 1) % seen.length;
            }
            if (seen[slot] != 0) {
                String one = new String(name, StandardCharsets.UTF_8);
                number(name, (int) seen[slot]);
                return List.of(one, new String(name, StandardCharsets.UTF_8));
            }
            seen[slot] = (long) hashed << 32 | i;
        }
    }

    /** Writes a number that looks like chance into the last eight bytes. */
    private static void number(byte[] name, int i) {
        int mixed = i * 0x9E3779B9;
        for (int digit = 0; digit < 8; digit++) {
            name[name.length - 1 - digit] = (byte) Character.forDigit(mixed >>> 4 * digit & 15, 16);
        }
    }

    static int checksum(Checksum checksum, byte[] bytes) {
        checksum.update(bytes, 0, bytes.length);
        return (int) checksum.getValue();
    }

    static int fnv1a(byte[] bytes) {
        int hash = 0x811C9DC5;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xFF)) * 0x01000193;
        }
        return hash;
    }

    /** The first four bytes; not thread-safe. */
    static ToIntFunction<byte[]> digest(String algorithm) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            return bytes -> ByteBuffer.wrap(digest.digest(bytes)).getInt();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
