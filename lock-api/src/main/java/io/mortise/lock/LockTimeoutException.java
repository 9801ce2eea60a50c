// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;

/**
 * Thrown if {@link DistributedLock#acquire()} has waited for as long as {@link LockOptions#withMaxWait(Duration)} allows
 * while others held the lock.
 */
public class LockTimeoutException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * A wait that ended without the lock.
     *
     * @param lockName the name of the lock
     * @param waited how long the caller was willing to wait
     */
    public LockTimeoutException(String lockName, Duration waited) {
        super(lockName, "lock '" + lockName + "' was still held by others after " + waited.toMillis() + " ms", null);
    }
}
