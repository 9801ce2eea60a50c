// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;

/** The methods of a lease that its {@link Renewer} calls. Thread-safe. */
interface RenewableLease {
    /** The claim, and how long its lease is to last from now on. */
    Renewal renewal();

    /**
     * How many leases may share a batch with this one: {@link Renewer#LARGEST_BATCH}, or fewer if the last renewal got no answer.
     * Takes no lock.
     */
    int batchLimit();

    /** How many nanoseconds the renewal may take that begins now, and that one of the next two ends; 0 if the lease is over. */
    long beginRenewal();

    /** The store's answer to a renewal that was sent at {@code asked}, and how much of the lease was spent by then. */
    void renewed(Answer answer, Moment asked, Duration spent);

    /** The store refused the renewal for good, and says why; told before the answer, which is {@link Answer#UNKNOWN}. */
    void renewalRefused(String why);

    /** The renewal ended without anything that could be told. Needs no memory. Does nothing if none is queued or under way. */
    void renewalFailed();
}
