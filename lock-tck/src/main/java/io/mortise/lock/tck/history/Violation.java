// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import java.util.List;

/**
 * Something that a history proves to be wrong.
 *
 * @param rule which rule is broken
 * @param lock the name of the lock
 * @param text what is wrong, in a sentence
 * @param operations those that prove it together
 */
record Violation(Rule rule, String lock, String text, List<Operation> operations) {
    /** What a history is checked for. */
    enum Rule {
        /** A lock is promised to one claim at a time. */
        OVERLAP,
        /** Who works under a lock does so alone. */
        WORK,
        /** Tokens rise in the order of the grants. */
        TOKENS,
        /** Nothing is granted to a closed client. */
        CLOSED,
        /** Who waited first is granted the lock first. */
        ORDER,
        /** Nobody waits for long for a lock that is free. */
        WAIT
    }
}
