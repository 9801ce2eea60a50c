// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.zookeeper.internal.session.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.data.Stat;

/**
 * The number that the fencing tokens of one root count from. The token of a node is {@code czxid × 32 + base}: 32, so that a
 * node has tokens for hand-overs inside a JVM before those of the next node begin. The base is the time of creation of its own
 * persistent node in µs, by the ensemble's clock, plus what was added since: tokens go on rising when an ensemble is built
 * anew and its zxids begin again. Immutable.
 *
 * <p>A claim reads the base after it is first in line. If the base was raised after the node was created, by this claim or
 * another, the token is written into the node; the tokens of all other nodes can be computed from the earlier bases.
 *
 * @param now how much was added up to now
 * @param since the zxid of the last raise
 * @param created the µs of the node's creation
 * @param earlier how much had been added before, newest first
 */
public record TokenBase(long now, long since, int version, long created, List<Raised> earlier) {
    public static final int SCALE = 32;

    public static final long HIGHEST = 1L << 53;

    /** How much more than needed a floor raises the base, so that a series of floors from a store that counts µs raises it once an hour. */
    public static final long AHEAD = 1L << 32;

    private static final int REMEMBERED = 32;

    /** How much was added in total, from a zxid on. */
    public record Raised(long total, long since) {}

    /** Reads the base node; throws {@link LockConfigurationException} if it is none. */
    public static TokenBase of(Session.Data node) {
        List<Raised> earlier = new ArrayList<>();
        long now = 0;
        try {
            for (String line : new String(node.bytes(), StandardCharsets.US_ASCII).split("\n")) {
                String[] parts = line.split("@", 2);
                if (parts.length == 2) {
                    earlier.add(new Raised(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
                } else if (!line.isEmpty()) {
                    now = Long.parseLong(line);
                }
            }
        } catch (NumberFormatException foreign) {
            throw new LockConfigurationException(
                    "the node token-base under the root holds foreign data; choose another root");
        }
        Stat stat = node.stat();
        return new TokenBase(now, stat.getMzxid(), stat.getVersion(), stat.getCtime() * 1000, List.copyOf(earlier));
    }

    /** The least token that a node which is first in line now may have. */
    public long token(long czxid) {
        return token(czxid, now);
    }

    /** The token of a node whose data have none: it was first in line before the base was raised past it. */
    public long tokenThen(long czxid) {
        long then = now;
        long from = since;
        for (Raised raised : earlier) {
            if (from < czxid) {
                break;
            }
            then = raised.total;
            from = raised.since;
        }
        return token(czxid, then);
    }

    /** Whether {@link #tokenThen} will always be {@link #token}. */
    public boolean tells(long czxid) {
        return since < czxid;
    }

    /** Whether every later node has a greater token than this one. */
    public boolean isAbove(long czxid, long token) {
        return token(czxid + 1, now) > token;
    }

    /** The data of a base under which the tokens of all later nodes are greater by this and more. */
    public byte[] raisedAbove(long czxid, long token, long ahead) {
        StringBuilder text = new StringBuilder();
        text.append(now + token - token(czxid + 1, now) + 1 + ahead).append('\n');
        text.append(now + "@" + since + "\n");
        earlier.stream()
                .limit(REMEMBERED - 1L)
                .forEach(raised -> text.append(raised.total + "@" + raised.since + "\n"));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Throws {@link LockConfigurationException} if the last token of a grant is too great. */
    public static void checkRange(long last) {
        if (last < 0 || last > HIGHEST) {
            throw new LockConfigurationException(
                    "the fencing tokens of this ensemble are used up: they would pass 2^53;"
                            + " begin a new root, with token floors if a protected side has seen these");
        }
    }

    private long token(long czxid, long raised) {
        try {
            return Math.addExact(Math.multiplyExact(czxid, (long) SCALE), Math.addExact(created, raised));
        } catch (ArithmeticException tooGreat) {
            throw new LockConfigurationException(
                    "the zxids of this ensemble are too great for fencing tokens of 53 bits: " + czxid);
        }
    }
}
