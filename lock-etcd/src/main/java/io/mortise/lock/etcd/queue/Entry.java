// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.spi.support.EscapedText;
import java.util.Optional;

/**
 * What is written into the key of a claim. Immutable.
 *
 * @param granted whether the claim was granted the lock, or waits for it
 * @param since when it was granted the lock, in seconds since 1970 by the clock of a member
 * @param base what its fencing tokens begin with
 * @param label who asks for the lock
 * @param revoked why it was revoked, if it was
 */
public record Entry(boolean granted, long since, long base, String label, Optional<String> revoked) {
    private static final EscapedText CODE = new EscapedText("-_.:/@");
    private static final int FIELDS = 4;

    static Entry waiting(String label) {
        return new Entry(false, 0, 0, label, Optional.empty());
    }

    static Entry granted(long since, long base, String label) {
        return new Entry(true, since, base, label, Optional.empty());
    }

    /** The same, revoked for a reason. */
    public Entry revokedFor(String reason) {
        return new Entry(granted, since, base, label, Optional.of(reason));
    }

    /** How it is written. */
    public String text() {
        String text = (granted ? "g " : "w ") + since + " " + base + " =" + CODE.encode(label);
        return revoked.isEmpty() ? text : text + " =" + CODE.encode(revoked.get());
    }

    /** Reads one. Whatever somebody else has written is no claim that waits: it holds the lock. */
    public static Entry read(String text) {
        String[] fields = text.split(" ", FIELDS + 1);
        try {
            return new Entry(
                    !fields[0].equals("w"),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[2]),
                    CODE.decode(fields[3].substring(1)),
                    fields.length > FIELDS ? Optional.of(CODE.decode(fields[FIELDS].substring(1))) : Optional.empty());
        } catch (IndexOutOfBoundsException | IllegalArgumentException foreign) {
            return granted(0, 0, text);
        }
    }
}
