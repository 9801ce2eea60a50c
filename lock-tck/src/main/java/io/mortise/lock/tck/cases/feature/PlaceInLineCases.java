// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Cases about the places of waiters: each claim has one of its own, and keeps it whatever happens before its turn. */
public interface PlaceInLineCases {
    @Rule(
            says = "A waiter that asks again keeps its place, and so do all when the holder renews.",
            because =
                    "Waiters ask again all the time; whoever goes to the end of the line for that never gets the lock.",
            needs = Feature.FAIR)
    default void k8_askingAgainKeepsThePlace(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add(waiting(scene, "W" + i));
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
        RecordingClaim gone = waiting(scene, "B");
        RecordingClaim second = waiting(scene, "C");
        RecordingClaim third = waiting(scene, "B");
        RecordingClaim fourth = waiting(scene, "C");
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
            line.add(waiting(scene, "W" + i % 5));
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
        scene.pass(scene.leases(2.5));
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

    private static RecordingClaim waiting(Scene scene, String who) {
        RecordingClaim claim = scene.claim(scene.backend(who), scene.waitingRequest(who));
        refused(claim);
        return claim;
    }
}
