// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import io.mortise.lock.tck.servers.support.InterruptedWaitException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The faults that a proxy has been told to cause, such as delayed or lost messages, and the messages that pass it at
 * the moment. Thread-safe.
 */
final class ProxyFaults {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<DropRule> rules = new ArrayDeque<>();
    private boolean holdsRequests;
    private boolean holdsReplies;
    private long delayNanos;
    private long dropped;
    private int passing;

    /** Holds messages back. On return those that had begun to pass have passed, unless their receiver takes nothing. */
    synchronized void hold(boolean requests, boolean replies) {
        holdsRequests = requests;
        holdsReplies = replies;
        notifyAll();
        long end = System.nanoTime() + LIMIT_NANOS;
        try {
            while (passing > 0 && isEarly(end)) {
                awaitChange(end);
            }
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("holding back what a proxy carries");
        }
    }

    synchronized void delayReplies(Duration delay) {
        delayNanos = delay.toNanos();
        notifyAll();
    }

    synchronized void dropNext(DropRule rule) {
        rules.add(rule);
    }

    synchronized void heal() {
        holdsRequests = false;
        holdsReplies = false;
        delayNanos = 0;
        rules.clear();
        notifyAll();
    }

    synchronized long dropped() {
        return dropped;
    }

    synchronized void countDropped() {
        dropped++;
    }

    /** Makes waiting threads check again whether their connection is over. */
    synchronized void wake() {
        notifyAll();
    }

    /** The first rule that a request matches, if any; it is used up. */
    synchronized Optional<DropRule> take(byte[] request, int length) {
        for (Iterator<DropRule> each = rules.iterator(); each.hasNext(); ) {
            DropRule rule = each.next();
            if (rule.matches(request, length)) {
                each.remove();
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /** When a reply that the server sends now is to arrive. */
    synchronized long dueNanos() {
        return System.nanoTime() + delayNanos;
    }

    /** Waits until a request may pass, or its connection is over; {@link #passed} must follow. */
    synchronized void awaitRequest(BooleanSupplier over) throws InterruptedException {
        while (holdsRequests && !over.getAsBoolean()) {
            wait();
        }
        passing++;
    }

    /**
     * Waits until a reply may pass, or its connection is over; {@link #passed} must follow. Without a delay no reply is early: healing
     * lets pass what is on its way.
     */
    synchronized void awaitReply(long dueNanos, BooleanSupplier over) throws InterruptedException {
        while ((holdsReplies || (delayNanos > 0 && isEarly(dueNanos))) && !over.getAsBoolean()) {
            if (holdsReplies) {
                wait();
            } else {
                awaitChange(dueNanos);
            }
        }
        passing++;
    }

    synchronized void passed() {
        passing--;
        notifyAll();
    }

    private static boolean isEarly(long dueNanos) {
        return dueNanos - System.nanoTime() > 0;
    }

    private synchronized void awaitChange(long untilNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, untilNanos - System.nanoTime());
    }
}
