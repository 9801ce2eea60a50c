// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;

/** The methods of a lease that its {@link LeaseTimer} and its {@link Renewer} call. Thread-safe. */
interface RenewableLease {
    Renewal renewal();

    /** Notices that the lease is at risk or over. True if it is to be renewed now. */
    boolean wake();

    /** How many leases may share a batch with this one. */
    int batchLimit();

    /** How many nanoseconds the renewal may take that begins now, and that {@link #renewed} ends; 0 if the lease is over. */
    long beginRenewal();

    /** The store's answer to a renewal that was sent at {@code asked}, and how much of the lease was spent by then. */
    void renewed(Answer answer, Validity.Stamp asked, Duration spent);
}
