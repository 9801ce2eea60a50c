// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A grant by the release of another client, confirmed.
 *
 * @param fence the first token
 * @param place when the claim came to the queue
 * @param left what was left of the lease when it was confirmed
 * @param asked before it was confirmed
 */
public record Grant(long fence, long place, Duration left, Moment asked) {
    static Grant of(long fence, long place, long leftMicros, Moment asked) {
        return new Grant(fence, place, Duration.of(leftMicros, ChronoUnit.MICROS), asked);
    }

    /** How much of a lease is spent by now; maybe more than all of it. */
    public Duration spent(Duration lease) {
        long since = Moment.now(Ticker.system()).since(asked);
        Duration spent = lease.minus(left).plusNanos(since);
        return spent.isNegative() ? Duration.ZERO : spent;
    }
}
