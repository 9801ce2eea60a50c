// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks whose register is wrong are caught. */
class WrongRegistersAreCaughtTest {
    static List<WrongLock> wrongLocks() {
        return WrongLock.REGISTERS;
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsRule(WrongLock lock) {
        lock.mustBeCaught();
    }
}
