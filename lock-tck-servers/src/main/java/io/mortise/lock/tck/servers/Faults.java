// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** What a proxy is to do wrong at the moment, and what passes it. Thread-safe. */
final class Faults {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Drop> drops = new ArrayDeque<>();
    private boolean holdsRequests;
    private boolean holdsReplies;
    private long delayNanos;
    private long dropped;
    private int passing;

    /** What had begun to pass has passed on return, unless its receiver takes nothing. */
    void hold(boolean requests, boolean replies) {
        lock.lock();
        try {
            holdsRequests = requests;
            holdsReplies = replies;
            changed.signalAll();
            long left = PATIENCE_NANOS;
            while (passing > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException interrupt) {
            throw Interrupted.during("holding back what a proxy carries");
        } finally {
            lock.unlock();
        }
    }

    void delayReplies(Duration delay) {
        change(() -> delayNanos = delay.toNanos());
    }

    void dropNext(Drop drop) {
        change(() -> drops.add(drop));
    }

    void heal() {
        change(() -> {
            holdsRequests = false;
            holdsReplies = false;
            delayNanos = 0;
            drops.clear();
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

    /** Lets those who wait look again whether their connection is over. */
    void wake() {
        change(() -> {});
    }

    /** The order that a request meets, if any; it is used up. */
    Optional<Drop> met(byte[] request, int length) {
        lock.lock();
        try {
            for (Iterator<Drop> each = drops.iterator(); each.hasNext(); ) {
                Drop drop = each.next();
                if (drop.matches(request, length)) {
                    each.remove();
                    return Optional.of(drop);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** When what the server says now is to arrive. */
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

    /** Without a delay nothing is early: healing lets pass what is on its way. */
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
