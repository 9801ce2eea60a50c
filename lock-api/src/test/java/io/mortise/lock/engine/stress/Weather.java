// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.LockOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** What goes wrong in one round, and how large the round is. Made from a seed. Thread-safe. */
final class Weather {
    /** What can go wrong. */
    enum Evil {
        LOST_MESSAGES,
        BACKEND_ERRORS,
        STORE_STOPS,
        CLOSES,
        NO_MEMORY,
        LATE_MESSAGES,
        REVOCATIONS,
        LISTENER_ERRORS,
        NO_THREADS,
        INTERRUPTS,
        LOST_NUDGES,
        CROWDS,
        /** Holders extend their leases. */
        EXTENSIONS,
        /** Some leases keep others out after they have ended. */
        KEPT_OUT
    }

    private static final Duration KEPT_OUT_FOR = Duration.ofMillis(100);

    final Dice dice;
    final Set<Evil> evils = EnumSet.noneOf(Evil.class);
    final double share;
    final Duration lease;
    final Duration callTimeout;
    final int names;
    /** The names of the callers, and those of the crowd. */
    final int allNames;

    final int clients;
    final int callers;
    final boolean virtual;
    final Duration length;
    private volatile boolean raging = true;

    /** The first round is calm: it loads the classes, which would be broken for good if it failed for want of memory. */
    Weather(long seed, int round) {
        dice = new Dice(seed);
        if (round > 0) {
            for (Evil evil : Evil.values()) {
                if (dice.chance(evil == Evil.NO_MEMORY || evil == Evil.NO_THREADS ? 0.12 : 0.35)) {
                    evils.add(evil);
                }
            }
            evils.add(Evil.values()[(int) Math.floorMod(seed, (long) Evil.values().length)]);
            if (evils.contains(Evil.CROWDS)) {
                // That ends many leases at one moment.
                evils.add(Evil.STORE_STOPS);
            }
        }
        virtual = dice.chance(0.5) && !isShort() && Callers.HAVE_VIRTUAL_THREADS;
        share = dice.between(2, 20) / 100.0;
        lease = Duration.ofMillis(dice.between(200, 500));
        callTimeout = Duration.ofMillis(dice.between(60, 120));
        names = dice.between(1, 4);
        allNames = names + (evils.contains(Evil.CROWDS) ? Crowd.LEASES : 0);
        clients = dice.between(2, 4);
        callers = dice.between(3, virtual ? 12 : 6);
        length = Duration.ofMillis(dice.between(1200, evils.contains(Evil.NO_MEMORY) ? 4000 : 2500));
    }

    boolean has(Evil evil) {
        return raging && evils.contains(evil);
    }

    /** Whether something goes wrong now. */
    boolean strikes(Evil evil) {
        return has(evil) && dice.chance(share);
    }

    /** Whether this round may come to lack memory or threads. */
    boolean isShort() {
        return evils.contains(Evil.NO_MEMORY) || evils.contains(Evil.NO_THREADS);
    }

    boolean isRaging() {
        return raging;
    }

    void calmDown() {
        raging = false;
    }

    /** To how much a lease is extended. */
    Duration extendedLease() {
        return lease.multipliedBy(2);
    }

    /** How the locks of a round differ that are otherwise alike. */
    LockOptions[] options() {
        LockOptions plain = LockOptions.defaults().withLease(lease);
        LockOptions other = plain.withLabel("other");
        return evils.contains(Evil.KEPT_OUT)
                ? new LockOptions[] {plain, other.withLockDelay(KEPT_OUT_FOR), other.withMinHold(KEPT_OUT_FOR)}
                : new LockOptions[] {plain, other};
    }

    /** How long the store can keep a lock after the last request of its holder. */
    Duration longestLease() {
        Duration longest = evils.contains(Evil.EXTENSIONS) ? extendedLease() : lease;
        return evils.contains(Evil.KEPT_OUT) ? longest.plus(KEPT_OUT_FOR) : longest;
    }

    /** How long nobody may know more of a lock than what was known before: the longest lease, a call, and the slack. */
    long knowledge() {
        return longestLease().plus(callTimeout).toNanos() + Time.SLACK;
    }

    @Override
    public String toString() {
        return evils + ", share " + share + ", lease " + lease.toMillis() + " ms, call time-out "
                + callTimeout.toMillis()
                + " ms, " + names + " names, " + clients + " clients of " + callers + (virtual ? " virtual" : "")
                + " threads, " + length.toMillis() + " ms";
    }
}
