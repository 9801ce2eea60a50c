// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.DistributedLock;

/**
 * Puts something around the locks of methods with {@link Locked} and {@link LockedJob}, such as observations. Beans of this type are
 * used in their order, the first innermost.
 */
@FunctionalInterface
public interface LockDecorator {
    /**
     * {@return a lock with the same name that calls the given one} Called for each call of such a method; quick, without I/O.
     *
     * @param lock the lock
     */
    DistributedLock decorate(DistributedLock lock);
}
