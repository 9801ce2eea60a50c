// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.engine.lease.LeaseHandle;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which lock the calling thread holds, with which lease, and how often it has entered. Each thread has its own record,
 * which goes when the thread ends. Thread-safe.
 */
final class ThreadHolds {
    /** The lease of one thread in one lock. Only that thread touches it. */
    static final class Inside {
        final LeaseHandle lease;
        int count = 1;

        Inside(LeaseHandle lease) {
            this.lease = lease;
        }

        /**
         * Counts once more.
         *
         * @throws Error as {@link java.util.concurrent.locks.ReentrantLock} does, if the thread has entered as often as can be
         *     counted; nothing was changed
         */
        void enterAgain() {
            if (count == Integer.MAX_VALUE) {
                throw new Error("this thread has entered lock '" + lease.lockName() + "' as often as can be counted: "
                        + count + " times");
            }
            count++;
        }

        /** Whether the lease was released through the view's lease, so that there is nothing left to release. */
        boolean isReleased() {
            return !lease.isHeld() && !isLost();
        }

        boolean isLost() {
            return !lease.isHeld() && lease.held().loss() != null;
        }
    }

    @SuppressWarnings("ThreadLocalUsage") // a thread holds locks of many clients
    private final ThreadLocal<Map<String, Inside>> inside = new ThreadLocal<>();

    @Nullable
    Inside current(String name) {
        Map<String, Inside> own = inside.get();
        return own == null ? null : own.get(name);
    }

    /** Enters the calling thread. If it ends without leaving, its lease is not renewed any more. */
    void enter(String name, LeaseHandle lease) {
        Map<String, Inside> own = inside.get();
        if (own == null) {
            own = new HashMap<>(2);
            inside.set(own);
        }
        Thread thread = Thread.currentThread();
        // Some pools clear what their threads remember.
        WeakReference<LeaseHandle> handle = new WeakReference<>(lease);
        lease.held().abandonedWhen(() -> !thread.isAlive() || handle.refersTo(null));
        // Last: without memory the thread has not entered.
        own.put(name, new Inside(lease));
    }

    void leave(String name) {
        Map<String, Inside> own = inside.get();
        if (own != null && own.remove(name) != null && own.isEmpty()) {
            inside.remove();
        }
    }
}
