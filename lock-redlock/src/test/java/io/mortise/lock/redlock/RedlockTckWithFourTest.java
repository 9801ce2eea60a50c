// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.tck.Variant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Five servers, one of them dead: between none and two, it can differ only in which of them make a majority. */
@Variant(
        of = RedlockTckWithThreeTest.class,
        rules = {"A", "F1", "H3", "H4", "I", "J", "K", "O"})
class RedlockTckWithFourTest extends FiveServersTck {
    private static Five five;

    @BeforeAll
    static void start() {
        five = Five.start(1);
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
