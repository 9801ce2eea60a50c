// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;

/**
 * What a migration between two stores can promise, as they said when they were asked. Immutable.
 *
 * @param oldStore the place of the store that the fleet leaves, without user, password and options
 * @param newStore the place of the other
 * @param registerIsInNew whether the new store keeps the register; else the old one does
 * @param oldSafety how well the old store excludes others
 * @param newSafety how well the new store does
 * @param dualSafety how well a lease in both does: as the weaker one
 * @param fencing how strong the tokens of leases are that go along; NONE if one of the stores has no tokens
 * @param mayFallForth whether the tokens of locks that nobody acquires in both stores may fall on the way to the new store
 * @param mayFallBack whether they may on the way back
 * @param longestLease the longest lease that can be had in both
 */
public record MigrationPlan(
        String oldStore,
        String newStore,
        boolean registerIsInNew,
        SafetyLevel oldSafety,
        SafetyLevel newSafety,
        SafetyLevel dualSafety,
        FencingStrength fencing,
        boolean mayFallForth,
        boolean mayFallBack,
        Duration longestLease) {}
