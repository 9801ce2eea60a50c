// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.sql.LockKey;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Looks a while after a release that granted a lock to another client whether that client has confirmed it: it may be gone. One look
 * for each lock, however often it is handed over meanwhile. If this client ends before, those who wait look by themselves, later.
 * Thread-safe.
 */
final class GrantWatch {
    private static final long AFTER_NANOS = WaiterQueue.CONFIRMATION.toNanos() + TimeUnit.MILLISECONDS.toNanos(20);

    private final DatabaseCalls calls;
    private final WaiterQueue queue;
    private final Map<LockKey, Long> lastGrants = new ConcurrentHashMap<>();

    GrantWatch(DatabaseCalls calls, WaiterQueue queue) {
        this.calls = calls;
        this.queue = queue;
    }

    /** A release has just granted the lock to another client. Returns at once. */
    void granted(LockKey key) {
        if (lastGrants.put(key, System.nanoTime()) == null) {
            lookAfter(key, AFTER_NANOS);
        }
    }

    /** Whether this client granted the lock to another one just now, so that it is hardly free. */
    boolean hasJustGranted(LockKey key) {
        return lastGrants.containsKey(key);
    }

    private void lookAfter(LockKey key, long nanos) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, this::submit)
                .execute(() -> look(key));
    }

    private void submit(Runnable look) {
        try {
            calls.execute(look);
        } catch (RejectedExecutionException closed) {
            lastGrants.clear();
        }
    }

    private void look(LockKey key) {
        Long last = lastGrants.get(key);
        long left = last == null ? 0 : last + AFTER_NANOS - System.nanoTime();
        if (left > 0 || (last != null && !lastGrants.remove(key, last))) {
            lookAfter(key, Math.max(left, 1));
            return;
        }
        try {
            calls.runOnce(session -> {
                queue.evict(session, key);
                return true;
            });
        } catch (RuntimeException another) {
            // those who wait look by themselves
        }
    }
}
