// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * A task that runs under a lock and returns a result.
 *
 * @param <T> the result
 * @param <E> what the task may throw
 */
@FunctionalInterface
public interface LeaseCall<T, E extends Exception> {
    /**
     * Runs the task. The thread is interrupted when the lease is lost.
     *
     * @param lease the lease that the task runs under; released by the caller
     * @return the result
     * @throws E if the task fails
     * @throws InterruptedException if the thread was interrupted
     */
    T call(Lease lease) throws E, InterruptedException;
}
