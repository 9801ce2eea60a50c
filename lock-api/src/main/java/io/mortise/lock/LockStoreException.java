// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store gave no usable answer in time, because it did not reply or replied with an error: whether the call took
 * effect is unknown. After a failed acquire the caller does not hold the lock; whatever the store may have granted is given back in
 * the background and ends with its lease at the latest.
 */
public class LockStoreException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * No answer from the store.
     *
     * @param lockName the name of the lock, or the empty string if no single lock is meant
     * @param message what was tried, for how long, and what to do; without secrets
     * @param cause the last failure, or null
     */
    public LockStoreException(String lockName, String message, @Nullable Throwable cause) {
        super(lockName, message, cause);
    }
}
