// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks that let go or count time wrongly are caught. A class of its own, so that a third of the wrong locks is run beside the others. */
class WrongLeasesAreCaughtTest {
    static List<WrongLock> wrongLocks() {
        return WrongLock.LEASES;
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsRule(WrongLock lock) {
        lock.mustBeCaught();
    }
}
