// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;

/**
 * How long sessions are in the conformance suite: long ones bear its longest leases, and short ones are those of clients that
 * it cuts off, and of its child processes, which it kills and freezes.
 */
final class TckSessions {
    private static final double PATIENCE = Double.parseDouble(System.getProperty("mortise.tck.patience", "1"));

    /** For how long a process that died keeps what it had; the suite adds its patience. */
    static final Duration SHORT = Duration.ofSeconds(6);

    private static final Duration LONG = Duration.ofSeconds(30);

    private TckSessions() {}

    /** A client of the suite itself. */
    static LockBackend openLong(String url) {
        return open(url, LONG);
    }

    /** A client that will be cut off, or one in a process that will die. */
    static LockBackend openShort(String url) {
        return open(url, SHORT);
    }

    private static LockBackend open(String url, Duration session) {
        long millis = Math.round(session.toMillis() * PATIENCE);
        return new ZooKeeperBackendProvider().open(StoreUrl.parse(url + "?sessionTimeout=" + millis + "ms"));
    }
}
