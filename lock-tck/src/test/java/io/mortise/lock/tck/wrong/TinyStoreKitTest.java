// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.time.Duration;

/** The store that all wrong locks are made of is right itself: what they fail by is their own mistake. */
class TinyStoreKitTest extends TinyStoreTck {
    private static final TinyStore STORE = new TinyStore();

    @Override
    TinyStore tiny() {
        return STORE;
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(600);
    }
}
