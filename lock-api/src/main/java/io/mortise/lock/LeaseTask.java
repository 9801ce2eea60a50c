// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * Work done under a lock that gives no result.
 *
 * @param <E> what the work may throw
 */
@FunctionalInterface
public interface LeaseTask<E extends Exception> {
    /**
     * Does the work. The thread is interrupted when the lease is lost.
     *
     * @param lease the lease that the work runs under; released by the caller
     * @throws E if the work fails
     * @throws InterruptedException if the thread was interrupted
     */
    void run(Lease lease) throws E, InterruptedException;
}
