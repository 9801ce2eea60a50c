// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * The reasons for which a lease can be lost, such as expiry, eviction, revocation, or the end of the session with the
 * store.
 */
public enum LossCause {
    /** The lease ended before a renewal was confirmed. */
    EXPIRED,
    /** The store no longer knows the lock: it was evicted, deleted, or the store lost its data. */
    EVICTED_OR_DELETED,
    /** Somebody else has the lock. */
    TAKEN_OVER,
    /** The lock was revoked; the loss carries the reason. */
    REVOKED,
    /** The client's session with the store ended, and the lock with it. */
    SESSION_LOST,
    /** The holder kept the lock for its {@link LockOptions#maxHold()}. */
    MAX_HOLD_REACHED,
    /** The client was closed before the lease was released. */
    CLIENT_CLOSED,
    /** The thread that owned the lock ended, or the handle became unreachable, without releasing. */
    ABANDONED
}
