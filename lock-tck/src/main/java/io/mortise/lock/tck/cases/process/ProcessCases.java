// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.process;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.process.ChildJvm;
import io.mortise.lock.tck.process.FileRace;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Cases with real processes that hold a lock, and are killed, frozen or restarted. Skipped for stores that live in one
 * JVM.
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
        // It may have been frozen between its checkpoint and the line that it was about to write.
        long allowed = child.count("CHECK") - before;
        child.thaw();
        child.awaitLine(scene, "LOST");
        long more = child.count("WORK") - before;
        that(more <= allowed, "after its lease had ended the frozen process passed " + more + " checkpoints");
    }

    @Rule(
            says = "A lock with a minHold is kept from others for that time, also when its process has ended.",
            because = "A scheduler starts a process for each run of a job, and the job takes a moment.")
    default void f8_minHoldIsKeptAfterTheEndOfTheProcess(Scene scene) throws Exception {
        scene.needsLeasesThatOutliveTheirHolders();
        Duration least = scene.leases(2);
        scene.needs(least);
        ChildJvm child = ChildJvm.start(scene, scene.lock(), "once");
        child.awaitLine(scene, "DONE");
        RecordingClaim next = scene.claim("B");
        scene.await("the lock is free after its minHold", scene.limit(), next::tryAcquire);
        long now = System.nanoTime();
        for (long[] times : child.numbers("DONE")) {
            Duration most = scene.latestEnd(least);
            between("the time since it was asked for", Duration.ofNanos(now - times[0]), least, scene.limit());
            between("the time since its release", Duration.ofNanos(now - times[1]), Duration.ZERO, most);
        }
    }

    @Rule(
            says = "Threads of two processes that increment a number in a file under the lock lose no increment.",
            because = "This is what a distributed lock is for.")
    default void a3_noIncrementOfAFileIsLost(Scene scene) throws Exception {
        FileRace.run(scene);
    }

    @Rule(
            says =
                    "What a frozen process writes when it goes on has a lower token than the next holder's: a guard refuses it.",
            because =
                    "Between the last look at the lease and the write there is always a moment, and pauses come then.",
            needs = Feature.FENCED)
    default void m2_aFrozenHoldersLateWritesAreRefused(Scene scene) throws Exception {
        ChildJvm child = ChildJvm.start(scene, scene.lock(), "write");
        child.awaitLine(scene, "WRITE");
        child.freeze();
        long token = grantedAfterLease(scene, scene.lasting("B")).fencingToken();
        long before = child.count("WRITE");
        child.thaw();
        child.awaitLines(scene, "WRITE", before + 5);
        for (long[] write : child.numbers("WRITE")) {
            safe(write[0] < token, "a guard that knows " + token + " lets a late " + write[0] + " through");
        }
    }

    @Rule(
            says = "While processes are restarted one by one, some killed and some asked to end, those that run get the"
                    + " lock, never two at once, and tokens rise.",
            because = "This is what every deployment does, every day.")
    default void m4_aRollingRestartLeavesACleanHistory(Scene scene) throws Exception {
        String lock = scene.lock();
        List<ChildJvm> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(ChildJvm.start(scene, lock, "work"));
        }
        for (ChildJvm child : all) {
            child.awaitLine(scene, "INSIDE");
        }
        all.get(0).kill();
        all.add(ChildJvm.start(scene, lock, "work"));
        all.get(2).awaitLine(scene, "INSIDE");
        all.get(1).stop();
        all.add(ChildJvm.start(scene, lock, "work"));
        all.get(3).awaitLine(scene, "INSIDE");
        int works = 0;
        for (int i = 0; i < all.size(); i++) {
            all.get(i).stop();
            works += all.get(i).tell(scene, "P" + i, lock);
        }
        that(works >= all.size(), "each process must have worked, but all together did " + works + " times only");
        freeWithin(scene, scene.afterDeath());
    }
}
