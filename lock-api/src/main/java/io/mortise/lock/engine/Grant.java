// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.spi.Claim;

/**
 * What the store has granted, or another holder of this client has handed over. Immutable but for its parts.
 *
 * @param claim the claim that holds in the store
 * @param settlement its release
 * @param place whose turn it is here
 * @param validity how long the grant is good for
 * @param token the fencing token, or 0
 * @param handOvers how often it may still be handed over
 */
record Grant(
        Claim claim,
        Settlement settlement,
        LocalQueue.Place place,
        Validity validity,
        long token,
        HandOvers handOvers) {
    /** The same claim in the hands of the next in line, with a token of its own. */
    Grant handedOver(LocalQueue.Place next, Validity current) {
        return new Grant(claim, settlement, next, current, token == 0 ? 0 : token + 1, handOvers.next());
    }
}
