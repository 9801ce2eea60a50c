// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notes of the locks that were last taken from their holders at once, with the reasons. They are kept in the data of the
 * shard's node: the holder's own node is gone, and the ensemble removes the queue when nobody is in it. One line is
 * one note; the newest is the first. Immutable.
 *
 * @param reasons by the names of the holders' nodes, of which none is used twice
 */
public record RevocationNotes(Map<String, String> reasons) {
    /** How many characters are kept, beside the newest note. */
    public static final int KEPT = 1 << 15;

    private static final String WORD = "revoked";

    /** Reads a shard's data; foreign lines are left out. */
    public static RevocationNotes read(byte[] data) {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : new String(data, StandardCharsets.US_ASCII).split("\n")) {
            String[] parts = line.split(" ", 3);
            try {
                if (parts.length == 3 && parts[0].equals(WORD)) {
                    reasons.putIfAbsent(parts[1], AsciiText.decode(parts[2]));
                }
            } catch (IllegalArgumentException foreign) {
                // not a note
            }
        }
        return new RevocationNotes(reasons);
    }

    public Optional<String> reason(String node) {
        return Optional.ofNullable(reasons.get(node));
    }

    /** The data of the shard with one more note, without the oldest where there are too many. */
    public byte[] bytesWith(String node, String reason) {
        List<String> lines = new ArrayList<>();
        lines.add(line(node, reason));
        int length = 0;
        for (Map.Entry<String, String> note : reasons.entrySet()) {
            String line = line(note.getKey(), note.getValue());
            length += line.length();
            if (length > KEPT) {
                break;
            }
            lines.add(line);
        }
        return String.join("", lines).getBytes(StandardCharsets.US_ASCII);
    }

    private static String line(String node, String reason) {
        return WORD + " " + node + " " + AsciiText.encode(reason) + "\n";
    }
}
