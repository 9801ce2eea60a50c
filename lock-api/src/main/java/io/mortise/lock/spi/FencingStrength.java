// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

/**
 * Tells how far a backend's fencing tokens can be trusted to rise: not at all, while the store keeps its data, or
 * always.
 */
public enum FencingStrength {
    /** No tokens. */
    NONE,
    /** Tokens rise while the store keeps its data; after a loss of data they rise as far as the store's clock does. */
    WHILE_DATA_LIVES,
    /** Tokens rise whatever happens to the store. */
    STRICT
}
