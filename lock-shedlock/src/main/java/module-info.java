// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks of ShedLock, in any store of Mortise. */
module io.mortise.lock.shedlock {
    requires transitive io.mortise.lock;
    requires transitive net.javacrumbs.shedlock.core;
    requires static transitive org.jspecify;

    exports io.mortise.lock.shedlock;
}
