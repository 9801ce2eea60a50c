// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

/**
 * The life of one lease.
 *
 * <pre>
 * HELD ⇄ AT_RISK → RELEASING → RELEASED
 *   └───────┴─────────┴──────→ LOST
 * </pre>
 */
enum LeaseState {
    HELD,
    AT_RISK,
    RELEASING,
    RELEASED,
    LOST;

    boolean isHeld() {
        return this == HELD || this == AT_RISK;
    }
}
