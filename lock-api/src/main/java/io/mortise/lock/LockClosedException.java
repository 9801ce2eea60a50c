// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/** Thrown if the {@link LockClient} was closed before or during the call. */
public class LockClosedException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * A call on a closed client.
     *
     * @param lockName the name of the lock, or the empty string if no single lock is meant
     */
    public LockClosedException(String lockName) {
        super(lockName, "the lock client is closed; open another with LockClient.connect", null);
    }
}
