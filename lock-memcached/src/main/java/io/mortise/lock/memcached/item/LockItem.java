// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.EscapedText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The value of a lock's item in memcached: a line of ASCII such as
 * {@code mortise1 OWNER LEASE_MILLIS SINCE RENEWED ann@db1/4711}, and a second line once the lock was revoked. The
 * owner is a secret. The times are by the server's clock, in seconds, and for people to read: the lease ends when the item
 * expires. Immutable.
 */
public record LockItem(String owner, Duration lease, long since, long renewed, String label, Optional<String> revoked) {
    /** By how much memcached, on a busy machine, may look at its clock later than once a second. */
    public static final Duration CLOCK_LATE = Duration.ofMillis(100);

    /** memcached takes an expiry of more than thirty days for a date. */
    public static final Duration LONGEST_LEASE = Duration.ofDays(30).minusSeconds(2);

    private static final String FORMAT = "mortise1";
    private static final String REVOKED = "\nrevoked ";
    private static final int WORDS = 6;

    /** Makes any string visible ASCII without blanks. */
    private static final EscapedText VISIBLE = new EscapedText("!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~");

    private static final int CLOCK_BEHIND_SECONDS = 2;

    /** The item of a claim that gets the lock now. */
    static LockItem of(ClaimRequest request, long clock) {
        return new LockItem(request.owner(), request.lease(), clock, clock, request.label(), Optional.empty());
    }

    /** The item with a new lease, which begins now. */
    LockItem renewed(Duration newLease, long clock) {
        return new LockItem(owner, newLease, since, clock, label, Optional.empty());
    }

    /**
     * The expiry of an item for a lease, in whole seconds. memcached looks at its clock about once a second, rounds it down, and
     * sometimes skips a second: an item may expire up to two seconds early.
     *
     * @throws IllegalArgumentException if memcached would take it for a date: such an item expires at once
     */
    public static int expiration(Duration lease) {
        if (lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("memcached has no lease longer than " + LONGEST_LEASE + ": " + lease);
        }
        long seconds = lease.plusNanos(999_999_999).toSeconds();
        return Math.toIntExact(seconds + CLOCK_BEHIND_SECONDS);
    }

    byte[] encoded() {
        String times = lease.toMillis() + " " + since + " " + renewed;
        String line = FORMAT + " " + owner + " " + times + " " + VISIBLE.encode(label);
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /** What is added to an item to revoke it. */
    static byte[] revocation(String reason) {
        return (REVOKED + VISIBLE.encode(reason)).getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of the item by which an immediate revocation tells its reason. */
    static byte[] reason(String text) {
        return VISIBLE.encode(text).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads the value that {@link #reason} has made.
     *
     * @throws BackendException if it has not
     */
    static String parseReason(String key, byte[] value) {
        try {
            return VISIBLE.decode(new String(value, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "the item " + key + " is not the reason of a revocation; it is left alone: delete it", foreign);
        }
    }

    /**
     * Reads the value of an item.
     *
     * @throws BackendException if this version did not write it: the lock is then neither free nor held by us
     */
    static LockItem parse(String key, byte[] value) {
        String text = new String(value, StandardCharsets.US_ASCII);
        int end = text.indexOf('\n');
        String[] words = (end < 0 ? text : text.substring(0, end)).split(" ", -1);
        int revocation = text.lastIndexOf(REVOKED);
        try {
            if (words.length != WORDS || !words[0].equals(FORMAT)) {
                throw new IllegalArgumentException("not in the format " + FORMAT);
            }
            return new LockItem(
                    words[1],
                    Duration.ofMillis(Long.parseLong(words[2])),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    VISIBLE.decode(words[5]),
                    revocation < 0
                            ? Optional.empty()
                            : Optional.of(VISIBLE.decode(text.substring(revocation + REVOKED.length()))));
        } catch (IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "the item " + key
                            + " is not a lock of this version; it is left alone: delete it, or choose another prefix",
                    foreign);
        }
    }

    /** The holder, for people to read. */
    LockHolder holder(String lock, long clock) {
        Duration left = lease.minusSeconds(Math.max(0, clock - renewed));
        return new LockHolder(
                lock,
                label,
                0,
                Duration.ofSeconds(Math.max(0, clock - since)),
                Optional.of(left.isNegative() ? Duration.ZERO : left),
                OptionalInt.empty(),
                revoked);
    }

    /** Without the owner, which is a secret. */
    @Override
    public String toString() {
        return "LockItem[label=" + label + ", lease=" + lease + "]";
    }
}
