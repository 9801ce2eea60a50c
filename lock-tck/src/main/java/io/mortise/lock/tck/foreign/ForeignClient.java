// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import java.time.Duration;
import java.util.Optional;

/**
 * One client of a lock library that knows nothing of Mortise, in Java or behind a process or a socket: what the suite needs of it.
 * {@link ForeignBackend} makes a backend of it. Thread-safe.
 *
 * <p>Calls may block for as long as the library's own time-outs are. Whatever they throw means that the outcome is not known.
 */
public interface ForeignClient extends AutoCloseable {
    /**
     * Asks for a lock once, without waiting for its holder.
     *
     * @param lock the name
     * @param lease how long the lock lasts if nobody releases it; for a library that does not promise {@link Promise#LEASES},
     *     without a meaning
     * @return the grant, or empty if another holder has the lock
     * @throws Exception if the library throws
     */
    Optional<ForeignGrant> tryAcquire(String lock, Duration lease) throws Exception;

    /** Disconnects. Idempotent. */
    @Override
    void close();
}
