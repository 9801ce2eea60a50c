// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.LockBackend;
import java.time.Duration;

/**
 * Gives the suite what an author's test class provides: the store, its clients and the lease to use. The suite sees the
 * test class only through this and through {@link io.mortise.lock.tck.fault.Faults}.
 */
public interface StoreUnderTest {
    /** {@return the store; asked once in a run, in the test's JVM only} */
    String store();

    /**
     * {@return a new client of the store, in any JVM}
     *
     * @param store what {@link #store()} or a route answered
     */
    LockBackend open(String store);

    /** {@return the lease that most cases use} */
    Duration lease();

    /** {@return for how long the store may keep what a dead process held: the time-out of its sessions, or zero} */
    Duration session();

    /** {@return whether others use the store, too: what would stay in it for years, or raise their tokens, is left out} */
    default boolean isShared() {
        return false;
    }

    /** What the engine is given for a store. Tests of the suite override it, so that the engine makes mistakes. */
    default LockBackend seenByEngine(LockBackend backend) {
        return backend;
    }
}
