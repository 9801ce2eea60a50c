// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;

/**
 * Describes the call or the lease to which something has happened, for a {@link LockListener}. Immutable.
 *
 * @param lockName the lock
 * @param store the store, as {@link LockClient#toString()} names it; without secrets
 * @param fencingToken the token of the lease; 0 if there is no lease or the store has no tokens
 * @param handedOver whether the lease came from another caller of the same client, without asking the store
 * @param waited from the call to its end, with or without the lock
 * @param held from the grant to this event; zero if nothing was granted
 */
public record LockEvent(
        String lockName, String store, long fencingToken, boolean handedOver, Duration waited, Duration held) {}
