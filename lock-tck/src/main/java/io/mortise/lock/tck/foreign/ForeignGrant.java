// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import java.time.Duration;

/** A lock that a {@link ForeignClient} was granted. Used by one thread at a time, not always the same. */
public interface ForeignGrant {
    /**
     * Releases the lock.
     *
     * @return true if it was held until now; false if the library says that it was not
     * @throws Exception if the library throws for another reason
     */
    boolean release() throws Exception;

    /**
     * Renews the lease, from now on.
     *
     * @param lease how long it is to last
     * @return true if the lock is held for so long; false if the library says that it is lost
     * @throws UnsupportedOperationException unless the library promises {@link Promise#RENEWALS}
     * @throws Exception if the library throws
     */
    default boolean renew(Duration lease) throws Exception {
        throw new UnsupportedOperationException("this library renews no leases");
    }
}
