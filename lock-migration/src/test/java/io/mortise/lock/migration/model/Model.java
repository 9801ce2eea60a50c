// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import java.util.Optional;

/**
 * A protocol as states and the steps between them, small enough that all of them can be looked at.
 *
 * @param <S> a state, whole: equal states have equal futures
 */
interface Model<S> {
    /** The state in which everything begins. */
    S start();

    /** Tells each step that may come next. */
    void steps(S state, Steps<S> steps);

    /** What must never be so, and is so in a state. */
    Optional<String> violation(S state);

    /** Whether nothing needs to happen any more: any other state without steps is a deadlock. */
    default boolean isAtRest(S state) {
        return true;
    }

    /** Takes steps. */
    interface Steps<S> {
        /** {@code what}: in a few words, for the reader of a counterexample. */
        void to(String what, S next);
    }
}
