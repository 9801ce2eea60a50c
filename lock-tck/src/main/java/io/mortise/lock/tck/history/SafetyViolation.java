// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

/**
 * Thrown if two holders had a lock at once, or tokens fell. Such a failure counts even if the machine had a stall.
 */
public final class SafetyViolation extends AssertionError {
    private static final long serialVersionUID = 1;

    public SafetyViolation(String what) {
        super(what);
    }
}
