// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A note in ZooKeeper that a lock was taken from its holder at once, with the reason. It is kept in the data of the
 * queue's node, because the holder's own node is gone. Immutable.
 */
public record RevocationNote(String node, String reason) {
    private static final String WORD = "revoked ";

    /** Reads a queue's data. */
    public static Optional<RevocationNote> read(byte[] data) {
        String[] parts = new String(data, StandardCharsets.US_ASCII).split(" ", 3);
        try {
            return parts.length == 3 && WORD.equals(parts[0] + " ")
                    ? Optional.of(new RevocationNote(parts[1], AsciiText.decode(parts[2])))
                    : Optional.empty();
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    public byte[] bytes() {
        return (WORD + node + " " + AsciiText.encode(reason)).getBytes(StandardCharsets.US_ASCII);
    }
}
