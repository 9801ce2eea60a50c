// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.Lease;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The lease of the innermost method with {@link Locked} or {@link LockedJob} that the calling thread is in. Gives such a method the
 * fencing token, or the means to check that it still holds the lock.
 *
 * <p>A method that returns a {@link java.util.concurrent.CompletionStage} asks before it returns, and passes the lease on to what runs
 * on other threads. Thread-safe.
 */
public final class CurrentLease {
    private static final ThreadLocal<@Nullable Entry> INNERMOST = new ThreadLocal<>();

    private record Entry(Lease lease, @Nullable Entry outer) {}

    private CurrentLease() {}

    /**
     * {@return the lease} The caller must not release it. No I/O.
     *
     * @throws IllegalStateException if the thread is not in such a method, or has called it from within the same object, which
     *     passes the lock by
     */
    public static Lease get() {
        Entry entry = INNERMOST.get();
        if (entry == null) {
            throw new IllegalStateException(
                    "no lock is held here: no method with @Locked or @LockedJob was called on this thread, or"
                            + " it was called from within its own object, which passes the lock by; call it through the bean");
        }
        return entry.lease();
    }

    /** The innermost lease of a lock that the calling thread has. */
    static Optional<Lease> of(String lockName) {
        for (Entry entry = INNERMOST.get(); entry != null; entry = entry.outer()) {
            if (entry.lease().lockName().equals(lockName)) {
                return Optional.of(entry.lease());
            }
        }
        return Optional.empty();
    }

    /** Runs a task whose lease is the current one. */
    static <T extends @Nullable Object> T during(Lease lease, Callable<T> task) throws Exception {
        Entry outer = INNERMOST.get();
        INNERMOST.set(new Entry(lease, outer));
        try {
            return task.call();
        } finally {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        }
    }
}
