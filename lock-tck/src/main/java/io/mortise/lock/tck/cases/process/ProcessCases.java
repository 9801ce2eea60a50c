// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.process;

import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.tck.process.ChildJvm;
import io.mortise.lock.tck.process.FileRace;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;

/**
 * Cases with real processes that hold a lock, and are killed or frozen. Skipped for stores that live in one JVM.
 */
public interface ProcessCases {
    @Rule(
            says = "The lock of a process that was killed is free when its lease has ended, and not while it lived.",
            because = "A crash must neither free a lock early nor keep it.")
    default void m1_aKilledHoldersLockIsFreed(Scene scene) throws Exception {
        ChildJvm child = ChildJvm.start(scene, scene.lock(), "hold");
        child.awaitLine(scene, "HELD");
        scene.pass(scene.leases(1.5));
        taken(scene);
        child.kill();
        freeWithin(scene, scene.afterDeath());
    }

    @Rule(
            says =
                    "A process that was frozen for longer than its lease learns that it has lost at its first checkpoint.",
            because = "It still believes what it knew before the pause, and would go on beside the next holder.")
    default void h11_aFrozenHolderStopsAtItsFirstCheckpoint(Scene scene) throws Exception {
        ChildJvm child = ChildJvm.start(scene, scene.lock(), "hold");
        child.awaitLine(scene, "WORK");
        child.freeze();
        grantedAfterLease(scene, scene.lasting("B"));
        long before = child.count("WORK");
        child.thaw();
        child.awaitLine(scene, "LOST");
        // The child may have been frozen between its checkpoint and the line that it was about to write.
        long more = child.count("WORK") - before;
        that(more <= 1, "after its lease had ended the frozen process passed " + more + " checkpoints");
    }

    @Rule(
            says = "Threads of two processes that increment a number in a file under the lock lose no increment.",
            because = "This is what a distributed lock is for.")
    default void a3_noIncrementOfAFileIsLost(Scene scene) throws Exception {
        FileRace.run(scene);
    }
}
