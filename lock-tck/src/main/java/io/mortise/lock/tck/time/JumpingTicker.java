// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.time;

import io.mortise.lock.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A ticker of real time whose wall clock can be set forward and back. Thread-safe. */
public final class JumpingTicker implements Ticker {
    private final AtomicLong offsetMillis = new AtomicLong();

    /** Sets the wall clock forward, or back if {@code by} is negative. */
    public void jump(Duration by) {
        offsetMillis.addAndGet(by.toMillis());
    }

    @Override
    public long nanos() {
        return Ticker.system().nanos();
    }

    @Override
    public long wallMillis() {
        return Ticker.system().wallMillis() + offsetMillis.get();
    }

    @Override
    public void parkUntil(Object blocker, long until) {
        Ticker.system().parkUntil(blocker, until);
    }
}
