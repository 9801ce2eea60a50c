// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import org.apache.zookeeper.KeeperException;

/**
 * What is asked in one session, perhaps in several requests; begun again in the same session or the next when the
 * connection breaks.
 *
 * @param <T> the answer
 */
@FunctionalInterface
public interface SessionCall<T> {
    public T in(Session session) throws KeeperException, InterruptedException;
}
