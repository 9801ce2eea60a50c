// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.spi.ClaimRequest;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The way in which one attempt acquires a lock: by a {@linkplain SingleStatementAcquire single statement}, or by
 * {@linkplain OptimisticAcquire a read and a conditional write}. Exactly one of many attempts at once is granted, and
 * each grant is recorded where guards look. Stateless.
 */
public interface AcquireStrategy {
    /**
     * One try.
     *
     * @param request who asks, and for what
     * @param key the row
     * @param leaseMicros the lease in the database's clock
     * @param watched the holder whose lease has ended for certain, where watching tells
     */
    record Try(ClaimRequest request, LockKey key, long leaseMicros, Optional<ObservedHolder> watched) {}

    /** The first token of the grant, or empty if the lock is not to be had. */
    Optional<Long> acquire(Handle handle, Try attempt);
}
