// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.tck.Variant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Five servers, none of them dead. */
@Variant(of = RedlockTckWithThreeTest.class)
class RedlockTckWithAllTest extends FiveServersTck {
    private static Five five;

    @BeforeAll
    static void start() {
        five = Five.start(0);
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
