// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes who holds a lock, since when and for how long, as the store answered. Immutable. Durations are by the
 * store's clock, at the moment when it answered.
 *
 * @param lock the name of the lock
 * @param label who holds it, in the words of its {@link LockOptions#label()}; never a secret
 * @param fencingToken the first token of the grant, or 0 if the store has none
 * @param heldFor how long the lock has been held, counted from the store's grant to this holder, however often it has renewed or asked again since
 * @param remaining how long the lock still lasts in the store without renewal; empty if the store cannot tell
 * @param waiters how many claims wait for this lock in the store's queue, if the store has one
 * @param revocationReason the reason of the revocation as it was given, if this holder's lock was revoked
 */
public record LockHolder(
        String lock,
        String label,
        long fencingToken,
        Duration heldFor,
        Optional<Duration> remaining,
        OptionalInt waiters,
        Optional<String> revocationReason) {}
