// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lease was held until its holder released it, and the store did not confirm the release: what ran under the lock has
 * run, and was protected. Do not run it again for this. The release is tried again in the background. At the latest the lock is
 * free when the store's lease has ended: the lease plus {@link LockOptions#lockDelay()}, or the rest of
 * {@link LockOptions#minHold()} if that is longer; on ZooKeeper, when the session ends.
 */
public class LockReleaseException extends LockException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // what a task returns need not be serializable; a copy in another process has none
    private final transient @Nullable Object result;

    /**
     * A release without an answer.
     *
     * @param lockName the name of the lock
     * @param message what was tried and what happens now; without secrets
     * @param cause the last failure, or null
     * @param result what the task returned that ran under the lock, or null
     */
    public LockReleaseException(String lockName, String message, @Nullable Throwable cause, @Nullable Object result) {
        super(lockName, message, cause);
        this.result = result;
    }

    /**
     * {@return what the task returned that {@link DistributedLock#call} or {@link DistributedLock#tryCall} ran; empty if this
     * comes from another method}
     */
    public final Optional<Object> result() {
        return Optional.ofNullable(result);
    }
}
