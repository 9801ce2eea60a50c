// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import java.time.Duration;
import java.util.Optional;

/**
 * Gives the suite what an author's test class provides: the store, its clients, the lease to use, and the faults that
 * the class can cause. The suite sees the test class only through this.
 */
public interface StoreUnderTest {
    /** A test class that tests a store. */
    interface Source {
        /**
         * What the class says of its store.
         *
         * @return always the same
         */
        StoreUnderTest storeUnderTest();
    }

    /**
     * The store. Asked once in a run, in the test's JVM only.
     *
     * @return what {@link #open} understands; empty if the store lives in one JVM
     */
    String store();

    /**
     * Opens a client of the store, in any JVM.
     *
     * @param store what {@link #store()} or a route answered
     * @return a new client
     */
    LockBackend open(String store);

    /**
     * The lease that most cases use.
     *
     * @return the author's
     */
    Duration lease();

    /**
     * For how long the store may keep what a dead process held.
     *
     * @return the time-out of the store's sessions, or zero
     */
    Duration session();

    /**
     * What the test can do to its store.
     *
     * @return empty if the test class implements no faults
     */
    Optional<Faults> faults();

    /**
     * What the engine is given for a store.
     *
     * @param backend the store
     * @return the same, but for tests of the suite in which the engine makes mistakes
     */
    LockBackend seenByEngine(LockBackend backend);

    /**
     * The author's class, which child JVMs make an instance of.
     *
     * @return a {@link Source}
     */
    Class<?> testClass();
}
