// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Right stores with wrong drivers, and wrong lines of waiters, are caught. */
class WrongDriversAreCaughtTest {
    static List<WrongLock> wrongLocks() {
        return WrongLock.DRIVERS;
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsRule(WrongLock lock) {
        lock.mustBeCaught();
    }
}
