// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lease was lost before its holder released it: what the lock protects may have been touched by others
 * meanwhile. Check it, or rely on the fencing token having refused late writes.
 */
public class LockLostException extends LockException {
    private static final long serialVersionUID = 1L;

    /** When and why. */
    private final Loss loss;

    @SuppressWarnings("serial") // what a task returns need not be serializable; a copy in another process has none
    private final transient @Nullable Object result;

    /**
     * The loss of one lease.
     *
     * @param lockName the name of the lock
     * @param loss why it was lost
     */
    public LockLostException(String lockName, Loss loss) {
        this(lockName, loss, null);
    }

    /**
     * The loss of one lease, under which a task has run to its end.
     *
     * @param lockName the name of the lock
     * @param loss why it was lost
     * @param result what the task returned, or null
     */
    public LockLostException(String lockName, Loss loss, @Nullable Object result) {
        super(
                lockName,
                "lock '" + lockName + "' was lost (" + loss
                        + "); others may have held it since: check what it protects",
                null);
        this.loss = loss;
        this.result = result;
    }

    /** {@return why the lease was lost} */
    public final Loss loss() {
        return loss;
    }

    /**
     * {@return what the task returned that {@link DistributedLock#call} or {@link DistributedLock#tryCall} ran; empty if it
     * threw, which is then among the suppressed exceptions, or if this comes from another method}
     */
    public final Optional<Object> result() {
        return Optional.ofNullable(result);
    }
}
