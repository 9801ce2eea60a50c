// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.allHeld;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Cases with many waiters, for one lock and for many locks. */
public interface ManyWaitersCases {
    @Rule(
            says = "A hand-over costs the store no more when forty clients wait than when five do.",
            because = "A release that wakes everybody is a herd: with a hundred waiters the store does nothing else.",
            needs = Feature.PROMPT)
    default void k5_aHandOverCostsTheSameHoweverManyWait(Scene scene) throws Exception {
        that(scene.faults().operations() >= 0, "a count of operations is not negative");
        double few = operationsPerHandOver(scene, 5);
        double many = operationsPerHandOver(scene, 40);
        that(
                many <= 2 * few + 4,
                "a hand-over costs " + few + " operations when 5 clients wait, and " + many + " when 40 do");
    }

    @Rule(
            says = "One client waits for hundreds of locks at once, and gets each of them when it is free.",
            because = "Pools are small; a waiter that occupies a connection leaves none to those who could go on.")
    default void k6_oneClientWaitsForHundredsOfLocks(Scene scene) throws Exception {
        int names = scene.times(200, 40);
        LockOptions patient = scene.lastingOptions("B");
        LockClient client = scene.client("B");
        List<RecordingClaim> holders = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            holders.add(granted(scene.lasting("A", scene.lock("lock-" + i))));
        }
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            String lock = scene.lock("lock-" + i);
            waiters.add(scene.start(
                    "B" + i, () -> client.lock(lock, patient).acquire().release()));
        }
        scene.await("B was refused by all locks", () -> scene.history().claimsRefused("B") == names);
        holders.forEach(holder -> that(holder.release(), holder + " must have held its own lock"));
        allHeld(scene, waiters);
    }

    private static double operationsPerHandOver(Scene scene, int waiters) throws Exception {
        String lock = scene.lock("lock-" + waiters);
        LockOptions patient = scene.options("W").withLease(scene.honoured(scene.leases(10)));
        RecordingClaim holder = granted(scene.lasting("A", lock));
        List<BackgroundTask<Boolean>> line = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            String who = waiters + "W" + i;
            LockClient client = scene.client(who);
            line.add(scene.start(who, () -> {
                Lease lease = client.lock(lock, patient).acquire();
                scene.pass(Duration.ofMillis(10));
                return lease.release();
            }));
        }
        for (int i = 0; i < waiters; i++) {
            scene.awaitTry(waiters + "W" + i);
            scene.keep(holder);
        }
        long before = scene.faults().operations();
        that(holder.release(), "the holder must have held");
        allHeld(scene, line);
        return (scene.faults().operations() - before) / (double) waiters;
    }
}
