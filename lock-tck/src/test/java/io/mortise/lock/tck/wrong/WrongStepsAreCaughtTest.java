// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks that compare and act in two steps, or that get the lengths and the ends of leases wrong, are caught. */
class WrongStepsAreCaughtTest {
    static List<WrongLock> wrongLocks() {
        return WrongLock.STEPS;
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsRule(WrongLock lock) {
        lock.mustBeCaught();
    }
}
