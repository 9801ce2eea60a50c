// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

/** Two holders at once, or what follows from it: no stall of a machine excuses that. */
final class Unsafe extends AssertionError {
    private static final long serialVersionUID = 1;

    Unsafe(String what) {
        super(what);
    }
}
