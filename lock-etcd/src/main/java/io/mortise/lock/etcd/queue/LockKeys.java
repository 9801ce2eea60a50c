// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.support.EscapedText;
import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names the keys of a store. Immutable.
 *
 * @param prefix what all of them begin with: printable ASCII characters
 */
public record LockKeys(String prefix) {
    /** The prefix unless another is set. */
    public static final String DEFAULT_PREFIX = "mortise/";

    private static final EscapedText NAMES = new EscapedText("-_.:");
    private static final Pattern PREFIX = Pattern.compile("[!-~]{1,200}");
    private static final char END = '/';

    /** 96 bits: an owner is known by it, and cannot be found from it. */
    private static final int OWNER_DIGITS = 24;

    /**
     * Checks the prefix.
     *
     * @throws LockConfigurationException if it is empty, too long, or has other characters
     */
    public LockKeys {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new LockConfigurationException(
                    "the prefix of etcd's keys has 1 to 200 printable ASCII characters without blanks, not '" + prefix
                            + "'");
        }
    }

    /** What the keys of all locks begin with whose names begin with a text; those of all locks for the empty one. */
    public String locks(String namePrefix) {
        return prefix + "l/" + NAMES.encode(namePrefix);
    }

    /** What the keys of the queue of one lock begin with, and no others do. */
    public String queue(String lock) {
        return locks(lock) + END;
    }

    /** The key of a claim in the queue of its lock. */
    public String entry(String lock, String owner) {
        return queue(lock)
                + Sha256.hex(owner.getBytes(StandardCharsets.US_ASCII)).substring(0, OWNER_DIGITS);
    }

    /** The queue to which the key of a claim belongs. */
    public static String queueOf(String entry) {
        return entry.substring(0, entry.lastIndexOf(END) + 1);
    }

    /** The name of the lock that has a queue; empty if the keys are those of somebody else. */
    public Optional<String> lock(String queue) {
        try {
            return Optional.of(NAMES.decode(queue.substring(locks("").length(), queue.length() - 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /** The key of the note that the claim of an entry was revoked, and the entry deleted. */
    public String note(String entry) {
        return prefix + "x/" + entry.substring(entry.lastIndexOf(END) + 1);
    }

    /** The key of the number with which the tokens of all locks begin, and what the keys begin with that one lock has instead. */
    public String tokenBase() {
        return prefix + "t/";
    }

    /** The key of the number with which the tokens of a lock begin, if it has one of its own. */
    public String tokenBase(String lock) {
        return tokenBase() + "=" + NAMES.encode(lock);
    }

    /** The key of an entry of the register. */
    public String register(String name) {
        return prefix + "r/" + name;
    }
}
