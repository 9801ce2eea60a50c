// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

/** An interrupt where none is declared. */
final class Interrupted {
    private Interrupted() {}

    /** Keeps the interrupt; what to throw. */
    static IllegalStateException during(String what) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted: " + what);
    }
}
