// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks that forget which tokens they gave are caught. */
class WrongCountersAreCaughtTest {
    static List<WrongLock> wrongLocks() {
        return WrongLock.COUNTERS;
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsRule(WrongLock lock) {
        lock.mustBeCaught();
    }
}
