// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Five servers, two of them dead. */
class RedlockTckWithThreeTest extends FiveServersTck {
    private static Five five;

    @BeforeAll
    static void start() {
        five = Five.start(2);
    }

    @AfterAll
    static void stop() {
        five.close();
    }

    @Override
    Five five() {
        return five;
    }
}
