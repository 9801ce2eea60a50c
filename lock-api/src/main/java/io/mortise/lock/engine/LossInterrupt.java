// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.engine.local.WorkQueue;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of a task when the task's lease is lost: once, and never after the task has ended. Made, begun and ended
 * by that thread; run by any.
 *
 * <p>Tasks can run inside other tasks of their thread, under locks of any clients, and a thread has one flag for all interrupts.
 * A task that was interrupted clears the flag at its end, and sets it again if it may also have stood for a foreign interrupt:
 * one of the application, or one of a task around it.
 */
final class LossInterrupt extends WorkQueue.Task {
    /** The tasks inside it are linked to it, so that only the first task of a thread needs memory here. */
    private static final ThreadLocal<LossInterrupt> OUTERMOST = new ThreadLocal<>();

    private final Thread thread = Thread.currentThread();
    private final @Nullable LossInterrupt outer = innermost();
    /**
     * Guards the state of all tasks of the thread, and is held while the thread is interrupted, which can take long. Nobody waits
     * for it but the thread and who else is to interrupt it.
     */
    private final Object monitor = outer == null ? this : outer.monitor;

    private @Nullable LossInterrupt inner;
    private boolean running;
    private boolean sent;
    private boolean foreignPending;

    /** The last that the calling thread has begun and not ended. Without the monitor: no other thread changes the links. */
    static @Nullable LossInterrupt innermost() {
        LossInterrupt found = OUTERMOST.get();
        while (found != null && found.inner != null) {
            found = found.inner;
        }
        return found;
    }

    /** From now on a loss interrupts the thread. */
    void begin() {
        if (outer == null) {
            OUTERMOST.set(this);
        }
        synchronized (monitor) {
            running = true;
            if (outer != null) {
                outer.inner = this;
            }
        }
    }

    @Override
    protected void run() {
        synchronized (monitor) {
            // A loss that an error has cut off is told again.
            if (running && !sent) {
                foreignPending |= findForeign();
                sent = true;
                for (LossInterrupt inside = inner; inside != null; inside = inside.inner) {
                    inside.foreignPending = true;
                }
                thread.interrupt();
            }
        }
    }

    /** A flag that a task inside has set says nothing any more: what was foreign to that task is foreign to this one. */
    private boolean findForeign() {
        for (LossInterrupt inside = inner; inside != null; inside = inside.inner) {
            if (inside.sent) {
                return inside.foreignPending;
            }
        }
        return thread.isInterrupted();
    }

    /**
     * Waits for an interrupt that is under way; there is none after it. Foreign interrupts are kept. To be called in any case, also
     * if the beginning has failed.
     *
     * @param consumed whether an interrupt has ended the task, so that its flag is cleared already
     * @return whether the thread was interrupted
     */
    boolean end(boolean consumed) {
        synchronized (monitor) {
            running = false;
            if (outer != null) {
                outer.inner = null;
            }
            if (sent && !consumed) {
                boolean unused = Thread.interrupted();
            }
            if (sent && foreignPending) {
                thread.interrupt();
            }
        }
        if (outer == null) {
            OUTERMOST.remove();
        }
        return sent;
    }
}
