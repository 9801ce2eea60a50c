// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * Work done under a lock that gives a result.
 *
 * @param <T> the result
 * @param <E> what the work may throw
 */
@FunctionalInterface
public interface LeaseCall<T, E extends Exception> {
    /**
     * Does the work. The thread is interrupted when the lease is lost.
     *
     * @param lease the lease that the work runs under; released by the caller
     * @return the result
     * @throws E if the work fails
     * @throws InterruptedException if the thread was interrupted
     */
    T call(Lease lease) throws E, InterruptedException;
}
