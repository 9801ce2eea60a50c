// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

/**
 * Tells which failure makes a store forget a lock that it granted, from the eviction by a cache to the loss of a
 * majority's storage. The weakest level is first: {@code compareTo} orders levels by strength.
 */
public enum SafetyLevel {
    /** May forget a lock at any time and say nothing, as a cache does. */
    BEST_EFFORT,
    /** Lives in the memory of one server: a restart or a failover forgets. */
    SINGLE_STORE,
    /** Acknowledged by replicas before the grant: forgets when a replica without it is promoted. */
    REPLICATED,
    /** Granted by a majority of independent servers: forgets when a majority forgets within one lease. */
    QUORUM,
    /** Committed to durable storage: forgets when the storage does. */
    DURABLE,
    /** Agreed by a consensus protocol: forgets when a majority loses its storage. */
    CONSENSUS
}
