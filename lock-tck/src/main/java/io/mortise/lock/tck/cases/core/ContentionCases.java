// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;

/**
 * Cases with many clients at once, at random, judged by a counter that nothing else protects, and by the history.
 */
public interface ContentionCases {
    @Rule(
            says = "Threads of several clients that increment a number under the lock lose no increment.",
            because = "This is what every user of a lock relies on.")
    default void a3_noIncrementIsLost(Scene scene) throws Exception {
        new CounterRace(scene, 3, 3).run(false);
    }

    @Rule(
            says = "The same holds when leases are released by other threads than those that acquired them.",
            because = "Asynchronous code ends where it did not begin; a lease belongs to whoever has it.")
    default void a4_noIncrementIsLostWhenOthersRelease(Scene scene) throws Exception {
        new CounterRace(scene, 2, 3).run(true);
    }
}
