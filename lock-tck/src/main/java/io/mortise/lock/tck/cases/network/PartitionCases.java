// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.time.Timing.shorter;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Nudges;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;

/** Cases with clients that are cut off from a store that goes on, and with connections that break. */
public interface PartitionCases {
    @Rule(
            says =
                    "A holder that is cut off from the store gives up before the next one is let in, and what it had sent"
                            + " changes nothing when it arrives.",
            because = "The store goes on without it; two sides of a partition must not both work.")
    default void h3_aPartitionedHolderGivesUpInTime(Scene scene) throws Exception {
        Route route = scene.faults().route();
        LockClient client = scene.client("A", scene.open(route.store()));
        Lease lease = present(client.lock(scene.lock()).tryAcquire(scene.limit()));
        LossWatch watch = new LossWatch(lease);
        DistributedLock lock = scene.lockOf("B");
        route.cut().run();
        BackgroundTask<Lease> next = scene.start("B", lock::acquire);
        scene.await("the lease is not held any more", scene.leases(1).plus(scene.tolerance()), () -> !lease.isHeld());
        scene.await("the loss is told", scene.tolerance(), watch::isLost);
        that(watch.cause() == LossCause.EXPIRED, "the cause must be the end of the lease, not " + watch.cause());
        that(watch.wasAtRisk(), "the danger must be told before the loss");
        Lease after = next.get(scene.afterDeath().plus(scene.lease()));
        route.heal().run();
        scene.pass(scene.leases(1.2));
        that(after.isHeld(), "the next holder has lost the lock to what arrived late");
        that(!lease.isHeld() && watch.losses() == 1, "a lost lease stays lost, and is told once");
        that(after.release(), "the next holder must have held until its release");
        free(scene);
    }

    @Rule(
            says = "A partition that ends before the lease does loses nothing.",
            because = "A false alarm stops work that was safe.")
    default void h4_aPartitionThatHealsInTimeLosesNothing(Scene scene) throws InterruptedException {
        Route route = scene.faults().route();
        LockClient client = scene.client("A", scene.open(route.store()));
        Lease lease = present(client.lock(scene.lock()).tryAcquire(scene.limit()));
        LossWatch watch = new LossWatch(lease);
        route.cut().run();
        scene.pass(scene.leases(0.4));
        route.heal().run();
        scene.pass(scene.leases(1.2));
        that(!watch.isLost(), "the lease was kept, but a loss was told: " + watch.detail());
        that(lease.release(), "the lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says =
                    "A waiter whose connections are cut goes on waiting, and gets the lock within a lease of its release.",
            because = "Connections drop; whoever relied on being told then waits for a call that cannot come.")
    default void k7_aWaiterWhoseConnectionsAreCutGoesOn(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.claim("A", scene.lock(), scene.leases(20)));
        BackgroundTask<Lease> waiting = scene.acquiring("B");
        scene.awaitTry("B");
        scene.faults().killConnections();
        answered(scene, holder::release);
        waiting.get(scene.afterLease()).release();
        if (scene.backend("C").features().contains(Feature.PROMPT)) {
            cutAndNudged(scene);
        }
    }

    /** Beside the engine, which asks again after some seconds, however little it is told. */
    private static void cutAndNudged(Scene scene) throws InterruptedException {
        RecordingClaim holder = granted(scene.lasting("A"));
        Nudges nudges = new Nudges();
        RecordingClaim waiting = scene.claim(scene.backend("C"), scene.waitingRequest("C"), nudges);
        refused(waiting);
        scene.faults().killConnections();
        answered(scene, holder::release);
        scene.await("the claim whose connection was cut is nudged, and finds the lock free", scene.afterLease(), () -> {
            try {
                return nudges.any() && waiting.tryAcquire();
            } catch (BackendException unanswered) {
                nudges.run();
                return false;
            }
        });
        answered(scene, waiting::release);
    }

    @Rule(
            says = "A waiter by a slow way misses no release, whenever it comes.",
            because =
                    "A subscription that is relied upon before it is confirmed hears nothing of what happened meanwhile.",
            needs = Feature.PROMPT)
    default void k10_aSlowWaiterMissesNoRelease(Scene scene) throws Exception {
        Route route = scene.faults().route();
        LockBackend far = scene.open(route.store());
        LockClient waiter = scene.client("B", far, builder -> builder.callTimeout(scene.callLimit()));
        // However patient the suite is, what is missed must come later than this allows: clients look again after four
        // seconds.
        Duration delay = shorter(scene.leases(0.06), Duration.ofMillis(100));
        for (int i = 0; i < 6; i++) {
            String lock = scene.lock("lock-" + i);
            Duration longest = scene.honoured(scene.leases(10));
            // Who may be cut off can have shorter sessions than others.
            LockOptions options = scene.options("B")
                    .withLease(shorter(longest, far.leaseBounds().longest()));
            RecordingClaim holder = granted(scene.claim("A", lock, longest));
            route.delay().accept(delay);
            long asked = scene.history().questions("B");
            BackgroundTask<Lease> waiting = scene.start("B", waiter.lock(lock, options)::acquire);
            scene.await("B asks the store", () -> scene.history().questions("B") > asked);
            scene.pass(delay.multipliedBy(i).dividedBy(2));
            holder.release();
            Lease lease = waiting.get(delay.multipliedBy(12).plus(scene.tolerance()));
            route.heal().run();
            that(lease.release(), "the waiter must have held until its release");
        }
    }
}
