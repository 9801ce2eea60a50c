// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.time;
import static io.mortise.lock.tck.time.Timing.shorter;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Nudges;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.Optional;

/** Cases about how waiters learn that a lock is free. */
public interface QueueCases {
    /** A client asks again after four to five seconds, whatever it was told: who gets the lock then was perhaps not woken. */
    Duration BEFORE_THE_NEXT_LOOK = Duration.ofMillis(3_500);

    @Rule(
            says = "A release at any moment around a waiter's first try wakes the waiter.",
            because = "A release between the refused try and the subscription is heard by nobody.",
            needs = Feature.PROMPT)
    default void k1_aReleaseAtAnyMomentWakesTheWaiter(Scene scene) throws Exception {
        LockClient holder = scene.client("A");
        LockOptions patient = scene.options("A").withLease(scene.honoured(scene.leases(10)));
        LockClient waiter = scene.client("B");
        Duration longest = scene.leases(0.25);
        Duration firstTry = scene.timing().roundTrip();
        Duration ofAFastStore = shorter(scene.leases(1).plus(scene.tolerance()), BEFORE_THE_NEXT_LOOK);
        Duration most = ofAFastStore.compareTo(scene.tolerance()) > 0 ? ofAFastStore : scene.tolerance();
        for (int i = 0; i < scene.times(40, 20); i++) {
            String lock = scene.lock("lock-" + i);
            Lease held = present(holder.lock(lock, patient).tryAcquire());
            long asked = scene.history().questions("B");
            long refused = scene.history().claimsRefused("B");
            BackgroundTask<Optional<Lease>> waiting =
                    scene.start("B", () -> waiter.lock(lock).tryAcquire(scene.leases(9)));
            scene.await("B asks the store", () -> scene.history().questions("B") > asked);
            if (i % 2 == 0) {
                // At each tenth of what a first try takes now: tens of milliseconds on a busy machine.
                scene.pass(firstTry.multipliedBy(i % 22).dividedBy(20));
            } else {
                Duration took = time(
                        () -> scene.await("B was refused", () -> scene.history().claimsRefused("B") > refused));
                firstTry = shorter(took, longest);
                scene.pass(scene.timing().roundTrip().multipliedBy(i).dividedBy(10));
            }
            held.release();
            present(waiting.get(most)).release();
        }
    }

    @Rule(
            says = "Releasing a lock nudges a claim that waits for it, and then the lock is free.",
            because = "Without it every waiter must ask again and again.",
            needs = Feature.PROMPT)
    default void k1_aReleaseNudgesAWaitingClaim(Scene scene) throws Exception {
        // The same client waits for another lock, too, and has begun with that.
        granted(scene.lasting("A", scene.lock("other")));
        refused(scene.claim(scene.backend("B"), scene.waitingRequest(scene.lock("other"), "B")));
        RecordingClaim holder = granted(scene.lasting("A"));
        Nudges nudges = new Nudges();
        RecordingClaim waiting = scene.claim(scene.backend("B"), scene.waitingRequest("B"), nudges);
        refused(waiting);
        BackgroundTask<Boolean> release = scene.start("release", holder::release);
        scene.await(
                "the waiting claim is nudged, and finds the lock free",
                scene.tolerance(),
                () -> nudges.any() && waiting.tryAcquire());
        that(release.get(scene.limit()), "the holder must have held");
    }

    @Rule(
            says = "A waiter gets the lock of a holder that died, within the lease.",
            because = "A dead holder sends no message.")
    default void k2_aWaiterFindsTheLockOfADeadHolder(Scene scene) throws Exception {
        granted(scene.claim("A"));
        BackgroundTask<Lease> waiting = scene.acquiring("B");
        waiting.get(scene.afterLease()).release();
    }

    @Rule(
            says = "If a refused try tells how much is left of the holder's lease, it tells no more than that.",
            because = "A waiter looks again no later than then: it would come late to what a dead holder has left.")
    default void k2_aRefusedTryTellsTheRestOfTheLease(Scene scene) {
        for (boolean lasts : new boolean[] {true, false}) {
            String lock = scene.lock(lasts ? "lasting" : "brief");
            RecordingClaim holder = granted(lasts ? scene.lasting("A", lock) : scene.claim("A", lock));
            RecordingClaim next = scene.claim("B", lock);
            refused(next);
            next.retryAfter().ifPresent(left -> {
                Duration most = scene.latestEndSeen(holder.request().lease());
                that(left.compareTo(most) <= 0, "at most " + most + " can be left, not " + left);
            });
        }
    }

    @Rule(
            says = "Nudges without a reason are harmless: the waiter looks again and goes on waiting.",
            because = "Stores wake waiters for many reasons, and sometimes for none.")
    default void k3_needlessNudgesAreHarmless(Scene scene) throws Exception {
        Lease held = present(scene.lockOf("A").tryAcquire());
        BackgroundTask<Lease> waiting = scene.acquiring("B");
        scene.awaitTry("B");
        for (int i = 0; i < 200; i++) {
            scene.nudge("B");
        }
        // What the waiter makes of them is seen when it has looked.
        long before = scene.history().tries("B");
        scene.await("the waiter has looked again", () -> {
            scene.nudge("B");
            return waiting.isDone() || scene.history().tries("B") >= before + 3;
        });
        that(!waiting.isDone(), "a nudge is not a grant");
        held.release();
        waiting.get(scene.lease().plus(scene.tolerance())).release();
    }

    @Rule(
            says = "A claim that does not wait enters no queue: refused once, it leaves nothing behind.",
            because = "A free lock that is kept for somebody who has gone away cannot be had by anybody.")
    default void c9_aPlainTryEntersNoQueue(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        for (int i = 0; i < 3; i++) {
            refused(scene.lasting("B"));
        }
        that(holder.release(), "the holder must have held");
        granted(scene.claim(scene.backend("C"), scene.waitingRequest("C"))).release();
        free(scene);
    }
}
