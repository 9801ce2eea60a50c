// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.process;

import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.Lease;
import io.mortise.lock.tck.process.ChildJvm;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.io.IOException;
import java.time.Duration;

/**
 * Cases with clients whose clocks are wrong. Skipped for stores that live in one JVM, and where no client can be given
 * a clock of its own.
 */
public interface ClockCases {
    /** So far apart are clocks that nobody has set. */
    Duration APART = Duration.ofMinutes(10);

    @Rule(
            says =
                    "What a process ten minutes behind holds is held for one ten minutes ahead as well; when either is killed,"
                            + " its lock is free within a lease.",
            because = "A lease that is written in the holder's time ends at any time in others'.")
    default void n1_wrongClocksChangeNoLease(Scene scene) throws Exception {
        ChildJvm slow = start(scene, APART.negated(), "hold");
        slow.awaitLine(scene, "HELD");
        ChildJvm fast = start(scene, APART, "wait", "1");
        fast.awaitLine(scene, "ASKED");
        scene.pass(scene.leases(1.5));
        that(fast.count("HELD") == 0, "a process with a fast clock got what one with a slow clock held");
        that(slow.count("LOST") == 0, "a process with a slow clock lost what it held");
        slow.kill();
        fast.awaitLine(scene, "HELD");
        scene.pass(scene.leases(1.5));
        taken(scene);
        fast.kill();
        freeWithin(scene, scene.afterDeath());
    }

    @Rule(
            says = "A client whose clock is ten minutes ahead gets no lock that another holds, and takes none away.",
            because = "To it each lease seems to have ended long ago.")
    default void n2_aFastClientStealsNothing(Scene scene) throws Exception {
        Lease lease = present(scene.lockOf("A", scene.lastingOptions("A")).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        ChildJvm fast = start(scene, APART, "wait", "3");
        fast.awaitLines(scene, "ASKED", 3);
        scene.pass(scene.leases(1.5));
        that(!watch.isLost(), "a client with a fast clock took the lock away: " + watch.detail());
        that(lease.release(), "the lease must have been held until its release");
        fast.kill();
        freeWithin(scene, scene.afterDeath());
    }

    private static ChildJvm start(Scene scene, Duration ahead, String... task) throws IOException {
        return ChildJvm.start(scene, scene.faults().environmentWithClock(ahead), scene.lock(), task);
    }
}
