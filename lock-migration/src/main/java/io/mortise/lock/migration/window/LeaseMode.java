// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.window;

/** In which stores a lease is held while a fleet moves from one to the other. */
public enum LeaseMode {
    /** In the store that the fleet leaves. */
    OLD,
    /** In both. Whoever wants the lock in either of them does not get it. */
    DUAL,
    /** In the store to which the fleet moves. */
    NEW;

    /** {@return whether such a lease has a half in the store that the fleet leaves} */
    public boolean usesOld() {
        return this != NEW;
    }

    /** {@return whether such a lease has a half in the store to which the fleet moves} */
    public boolean usesNew() {
        return this != OLD;
    }
}
