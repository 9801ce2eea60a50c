// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.tck.SuiteRun;
import java.time.Duration;
import java.util.Collection;

/** The suite for whatever store is the current one. Run by the tests of wrong locks only. */
class WrongLockTck extends TinyStoreTck {
    /** Long enough for a machine that has other things to do, and short enough for a hundred runs. */
    static final Duration LEASE = Duration.ofMillis(300);

    private static volatile TinyStore store = new TinyStore();
    private static volatile Duration lease = LEASE;

    static SuiteRun run(TinyStore store, Duration lease, Collection<String> cases) {
        WrongLockTck.store = store;
        WrongLockTck.lease = lease;
        return SuiteRun.of(WrongLockTck.class, cases);
    }

    @Override
    TinyStore tiny() {
        return store;
    }

    @Override
    public Duration lease() {
        return lease;
    }
}
