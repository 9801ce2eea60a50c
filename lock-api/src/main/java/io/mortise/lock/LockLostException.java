// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * Thrown if a lease was lost before its holder released it: what the lock protects may have been touched by others
 * meanwhile. Check it, or rely on the fencing token having refused late writes.
 */
public class LockLostException extends LockException {
    private static final long serialVersionUID = 1L;

    /** When and why. */
    private final Loss loss;

    /**
     * The loss of one lease.
     *
     * @param lockName the name of the lock
     * @param loss why it was lost
     */
    public LockLostException(String lockName, Loss loss) {
        super(
                lockName,
                "lock '" + lockName + "' was lost (" + loss
                        + "); others may have held it since: check what it protects",
                null);
        this.loss = loss;
    }

    /** {@return why the lease was lost} */
    public final Loss loss() {
        return loss;
    }
}
