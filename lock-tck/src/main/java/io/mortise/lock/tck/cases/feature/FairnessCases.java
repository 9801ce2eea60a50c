// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.process.ChildJvm;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Cases about the order of waiters of different clients: a store that declares FAIR serves them first come, first
 * served.
 */
public interface FairnessCases {
    @Rule(
            says = "Waiters of different clients are served in the order in which their first tries reached the store.",
            because = "Without order somebody waits forever while others go round.",
            needs = Feature.FAIR)
    default void k8_waitersAreServedInOrder(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add(inLine(scene, "W" + i));
        }
        that(holder.release(), "the holder must have held");
        for (int i = 0; i < line.size(); i++) {
            for (int j = line.size() - 1; j > i; j--) {
                that(!line.get(j).tryAcquire(), line.get(j) + " got the lock before " + line.get(i));
            }
            granted(line.get(i)).release();
        }
    }

    @Rule(
            says = "Clients that wait for a lock get it in the order in which they came.",
            because = "A queue in the store is worth nothing if the clients do not keep to it.",
            needs = Feature.FAIR)
    default void k8_clientsAreServedInOrder(Scene scene) throws Exception {
        Lease held = present(scene.lockOf("A").tryAcquire());
        List<String> order = new CopyOnWriteArrayList<>();
        List<BackgroundTask<Optional<Lease>>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String who = "W" + i;
            DistributedLock lock = scene.lockOf(who);
            waiters.add(scene.start(who, () -> {
                Optional<Lease> lease = lock.tryAcquire(scene.limit());
                order.add(who);
                lease.ifPresent(Lease::release);
                return lease;
            }));
            scene.awaitTry(who);
        }
        held.release();
        for (BackgroundTask<Optional<Lease>> waiter : waiters) {
            present(waiter.get(scene.limit()));
        }
        that(order.equals(List.of("W0", "W1", "W2", "W3")), "the order was " + order);
    }

    @Rule(
            says = "Waiters that died hold up those behind them for no longer than a second, all together; a store that"
                    + " does not nudge, for a lease more, and one of sessions for a session.",
            because =
                    "Every crash of a waiter would stop the line for good, and every crash of many for as many times.",
            needs = Feature.FAIR)
    default void k8_deadWaitersHoldUpOthersBriefly(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        boolean shared = ChildJvm.canOpen(scene);
        ChildJvm dying = shared ? ChildJvm.start(scene, scene.lock(), "wait", "3") : null;
        for (int i = 0; i < 3 && !shared; i++) {
            inLine(scene, "dead" + i);
            scene.backend("dead" + i).close();
        }
        if (dying != null) {
            dying.awaitLines(scene, "ASKED", 3);
        }
        RecordingClaim next = inLine(scene, "B");
        if (dying != null) {
            dying.kill();
        }
        that(holder.release(), "the holder must have held");
        scene.await(
                "the last in line gets the lock although those before it are dead",
                scene.deadWaiters(),
                next::tryAcquire);
    }

    @Rule(
            says = "A waiter that released its claim is out of the line at once.",
            because = "A lock that is directed at somebody who has gone is free and cannot be had.",
            needs = Feature.FAIR)
    default void c9_aWaiterThatGaveUpIsOutOfTheLine(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim gone = inLine(scene, "B");
        RecordingClaim next = inLine(scene, "C");
        that(!gone.release(), "a waiter does not hold the lock");
        that(holder.release(), "the holder must have held");
        granted(next);
    }

    private static RecordingClaim inLine(Scene scene, String who) {
        RecordingClaim claim = scene.claim(scene.backend(who), scene.waitingRequest(who));
        refused(claim);
        return claim;
    }
}
