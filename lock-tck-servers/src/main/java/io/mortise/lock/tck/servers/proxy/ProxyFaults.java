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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The faults that a proxy has been told to cause, such as delayed or lost messages, and the messages that pass it at
 * the moment. Thread-safe.
 */
final class ProxyFaults {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<DropRule> rules = new ArrayDeque<>();
    private boolean holdsRequests;
    private boolean holdsReplies;
    private long delayNanos;
    private long dropped;
    private int passing;

    /** Holds messages back. On return those that had begun to pass have passed, unless their receiver takes nothing. */
    void hold(boolean requests, boolean replies) {
        lock.lock();
        try {
            holdsRequests = requests;
            holdsReplies = replies;
            changed.signalAll();
            long left = LIMIT_NANOS;
            while (passing > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("holding back what a proxy carries");
        } finally {
            lock.unlock();
        }
    }

    void delayReplies(Duration delay) {
        change(() -> delayNanos = delay.toNanos());
    }

    void dropNext(DropRule rule) {
        change(() -> rules.add(rule));
    }

    void heal() {
        change(() -> {
            holdsRequests = false;
            holdsReplies = false;
            delayNanos = 0;
            rules.clear();
        });
    }

    long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    void countDropped() {
        change(() -> dropped++);
    }

    /** Makes waiting threads check again whether their connection is over. */
    void wake() {
        change(() -> {});
    }

    /** The first rule that a request matches, if any; it is used up. */
    Optional<DropRule> take(byte[] request, int length) {
        lock.lock();
        try {
            for (Iterator<DropRule> each = rules.iterator(); each.hasNext(); ) {
                DropRule rule = each.next();
                if (rule.matches(request, length)) {
                    each.remove();
                    return Optional.of(rule);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** When a reply that the server sends now is to arrive. */
    long dueNanos() {
        lock.lock();
        try {
            return System.nanoTime() + delayNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a request may pass, or its connection is over; {@link #passed} must follow. */
    void awaitRequest(BooleanSupplier over) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (holdsRequests && !over.getAsBoolean()) {
                changed.await();
            }
            passing++;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a reply may pass, or its connection is over; {@link #passed} must follow. */
    void awaitReply(long dueNanos, BooleanSupplier over) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while ((holdsReplies || isEarly(dueNanos)) && !over.getAsBoolean()) {
                if (holdsReplies) {
                    changed.await();
                } else {
                    changed.awaitNanos(dueNanos - System.nanoTime());
                }
            }
            passing++;
        } finally {
            lock.unlock();
        }
    }

    void passed() {
        change(() -> passing--);
    }

    /** Whether a reply is due later. Without a delay none is: healing lets pass what is on its way. */
    private boolean isEarly(long dueNanos) {
        return delayNanos > 0 && dueNanos - System.nanoTime() > 0;
    }

    private void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
