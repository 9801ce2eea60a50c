// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import org.jspecify.annotations.Nullable;

/** The base of all exceptions about locks. The message says what is known and what to do. */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Empty if no single lock is meant. */
    private final String lockName;

    /**
     * An exception about one lock.
     *
     * @param lockName the name of the lock, or the empty string if no single lock is meant
     * @param message what happened and what to do; without secrets
     * @param cause what made it happen, or null
     */
    public LockException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /**
     * {@return the name of the lock, or the empty string if no single lock is meant} Always empty for a
     * {@link LockConfigurationException}, also if one lock was refused.
     */
    public final String lockName() {
        return lockName;
    }
}
