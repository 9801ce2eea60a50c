// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

/**
 * Fails a case because two holders had a lock at once, or because of what follows from it; no stall of the machine
 * excuses that.
 */
public final class SafetyViolation extends AssertionError {
    private static final long serialVersionUID = 1;

    public SafetyViolation(String what) {
        super(what);
    }
}
