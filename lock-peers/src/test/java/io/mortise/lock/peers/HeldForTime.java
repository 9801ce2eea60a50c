// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.migration.fleet.FleetProgram.Held;

/** A lock of a library that has no tokens and does not tell whether it may be relied on: it is, until a moment. */
record HeldForTime(Runnable unlocking, long until) implements Held {
    @Override
    public boolean isHeld() {
        return System.nanoTime() - until < 0;
    }

    @Override
    public long token() {
        return 0;
    }

    @Override
    public void release() {
        unlocking.run();
    }
}
