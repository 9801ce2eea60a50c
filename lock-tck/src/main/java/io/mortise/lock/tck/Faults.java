// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import org.opentest4j.TestAbortedException;

/**
 * What a backend author's test class can do to its store. Optional: a class that extends {@link LockBackendTck} may also
 * implement this. Each method that it does not override skips the cases that need it.
 */
public interface Faults {
    /** Freezes the store: no call is answered until {@link #resumeStore()}, and none fails at once. */
    default void pauseStore() {
        throw unsupported("pauseStore");
    }

    /** Ends {@link #pauseStore()}. Called in any case, also if the store is not paused. */
    default void resumeStore() {}

    /**
     * Ends the lease of a lock as if its time were over, without a word to its holder.
     *
     * @param lock the name
     */
    default void expireNow(String lock) {
        throw unsupported("expireNow");
    }

    /**
     * Removes all that the store keeps about a lock, token counter included, as eviction or a careless operator does.
     *
     * @param lock the name
     */
    default void deleteBehindBack(String lock) {
        throw unsupported("deleteBehindBack");
    }

    private static TestAbortedException unsupported(String method) {
        return new TestAbortedException(
                "skipped: the test class cannot do this to its store; to enable the case, let it" + " implement Faults."
                        + method);
    }
}
