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
        servedInOrder(line);
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

    @Rule(
            says = "A waiter that asks again keeps its place, and so do all when the holder renews.",
            because =
                    "Waiters ask again all the time; whoever goes to the end of the line for that never gets the lock.",
            needs = Feature.FAIR)
    default void k8_askingAgainKeepsThePlace(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add(inLine(scene, "W" + i));
        }
        for (int asks = 0; asks < 2; asks++) {
            refused(line.get(0));
            refused(line.get(2));
            that(holder.renew(), "the holder must be able to renew");
        }
        refused(line.get(1));
        that(holder.release(), "the holder must have held");
        servedInOrder(line);
    }

    @Rule(
            says =
                    "Each claim has a place of its own, also beside others of its client: it neither takes theirs nor loses its own"
                            + " when one of them leaves.",
            because = "A client that gives up one wait must not lose the others, and must not stand in two places.",
            needs = Feature.FAIR)
    default void k8_eachClaimHasAPlaceOfItsOwn(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim gone = inLine(scene, "B");
        RecordingClaim second = inLine(scene, "C");
        RecordingClaim third = inLine(scene, "B");
        RecordingClaim fourth = inLine(scene, "C");
        that(!gone.release(), "a waiter does not hold the lock");
        that(holder.release(), "the holder must have held");
        servedInOrder(List.of(second, third, fourth));
    }

    @Rule(
            says = "A line has room for all who wait, and serves the last of them, too.",
            because = "A queue that is full turns the next waiter away, or forgets it.",
            needs = Feature.FAIR)
    default void k8_aLineHasRoomForAll(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < scene.times(130, 40); i++) {
            line.add(inLine(scene, "W" + i % 5));
        }
        that(holder.release(), "the holder must have held");
        for (int i = 0; i < line.size(); i++) {
            int next = i + 1;
            if (next < line.size()) {
                that(!line.get(next).tryAcquire(), "the claim at place " + next + " got the lock before that at " + i);
            }
            granted(line.get(i)).release();
        }
    }

    @Rule(
            says =
                    "Clients keep their places however long they wait, several leases too, and whoever comes later comes after them.",
            because = "A place that ends with a lease makes those who wait longest begin again.",
            needs = Feature.FAIR)
    default void k8_aPlaceOutlastsLeases(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.claim("A", scene.lock(), scene.limit()));
        List<String> order = new CopyOnWriteArrayList<>();
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(joining(scene, "W" + i, order));
        }
        for (int i = 0; i < 5; i++) {
            scene.pass(scene.leases(0.5));
            scene.keep(holder);
        }
        waiters.add(joining(scene, "late", order));
        that(holder.release(), "the holder must have held");
        for (BackgroundTask<Boolean> waiter : waiters) {
            that(waiter.get(scene.limit()), "each must have held the lock until its release");
        }
        that(order.equals(List.of("W0", "W1", "W2", "late")), "the order was " + order);
    }

    private static BackgroundTask<Boolean> joining(Scene scene, String who, List<String> order)
            throws InterruptedException {
        DistributedLock lock = scene.lockOf(who);
        BackgroundTask<Boolean> waiter = scene.start(who, () -> {
            Lease lease = lock.acquire();
            order.add(who);
            return lease.release();
        });
        scene.awaitTry(who);
        return waiter;
    }

    /** Those behind ask first, and are refused. */
    private static void servedInOrder(List<RecordingClaim> line) {
        for (int i = 0; i < line.size(); i++) {
            for (int j = line.size() - 1; j > i; j--) {
                that(!line.get(j).tryAcquire(), line.get(j) + " got the lock before " + line.get(i));
            }
            granted(line.get(i)).release();
        }
    }

    private static RecordingClaim inLine(Scene scene, String who) {
        RecordingClaim claim = scene.claim(scene.backend(who), scene.waitingRequest(who));
        refused(claim);
        return claim;
    }
}
