// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import org.apache.zookeeper.KeeperException;

/**
 * What is asked in one session, perhaps in several requests; begun again in the same session or the next when the
 * connection breaks.
 *
 * @param <T> the answer
 */
@FunctionalInterface
interface Step<T> {
    T in(Session session) throws KeeperException, InterruptedException;
}
