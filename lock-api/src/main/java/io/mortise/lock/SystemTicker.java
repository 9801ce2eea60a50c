// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.util.concurrent.locks.LockSupport;

/** The clocks of this JVM. */
enum SystemTicker implements Ticker {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public void parkUntil(Object blocker, long until) {
        LockSupport.parkNanos(blocker, until - System.nanoTime());
    }
}
