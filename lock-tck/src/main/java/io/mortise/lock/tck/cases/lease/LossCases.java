// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.Set;

/** Cases about the loss of a lease: the lease reports it in time, once, and for good. */
public interface LossCases {
    @Rule(
            says = "A lock that was deleted behind its holder's back is reported as lost within a renewal, once.",
            because = "The holder is alone no more and must stop.")
    default void h1_aDeletedLockIsReported(Scene scene) throws InterruptedException {
        Lease lease = present(scene.lockOf("A").tryAcquire());
        LossWatch watch = new LossWatch(lease);
        scene.faults().deleteBehindBack(scene.lock());
        scene.await("the loss is told", scene.leases(0.5).plus(scene.tolerance()), watch::isLost);
        that(watch.cause() == LossCause.EVICTED_OR_DELETED, "the cause must be the deletion, not " + watch.cause());
        that(!lease.isHeld(), "a lost lease is not held");
        thrown(LockLostException.class, lease::ensureHeld, "a lost lease must not pass a checkpoint");
        that(!lease.release(), "a lost lease was not held until its release");
        scene.pass(scene.leases(0.5));
        that(watch.losses() == 1, "the loss was told " + watch.losses() + " times");
    }

    @Rule(
            says = "A lock that was lost is not created again by a renewal.",
            because = "A holder that was told of its loss would hold the lock again without knowing it.")
    default void g12_aLostLockIsNotResurrected(Scene scene) throws InterruptedException {
        RecordingClaim claim = granted(scene.lasting("A"));
        scene.faults().deleteBehindBack(scene.lock());
        safe(!claim.renew(), "a deleted lock must not be renewed");
        that(!claim.release(), "a deleted lock was not held until its release");
        free(scene);
        RecordingClaim again = granted(scene.lasting("A"));
        scene.faults().expireNow(scene.lock());
        safe(!again.renew(), "an ended lease must not be renewed");
        free(scene);
    }

    @Rule(
            says = "A holder whose lock somebody else has got is told so.",
            because = "Two holders at once is the worst case; the first must stop.")
    default void h2_aTakenOverLockIsReported(Scene scene) throws InterruptedException {
        Lease lease = present(scene.lockOf("A").tryAcquire());
        LossWatch watch = new LossWatch(lease);
        scene.faults().deleteBehindBack(scene.lock());
        granted(scene.lasting("B"));
        scene.await("the loss is told", scene.leases(0.5).plus(scene.tolerance()), watch::isLost);
        that(
                Set.of(LossCause.TAKEN_OVER, LossCause.EVICTED_OR_DELETED).contains(watch.cause()),
                "the cause must be that another has it, not " + watch.cause());
    }

    @Rule(
            says = "A holder whose lock was revoked is told so, with the reason.",
            because = "Somebody wants the lock; the holder should know who to ask.",
            needs = Feature.REVOCABLE)
    default void h2_aRevokedLockIsReported(Scene scene) throws InterruptedException {
        Lease lease = present(scene.lockOf("A").tryAcquire());
        LossWatch watch = new LossWatch(lease);
        that(scene.lockOf("B").revoke("the night is over"), "somebody held the lock");
        scene.await("the loss is told", scene.leases(0.5).plus(scene.tolerance()), watch::isLost);
        that(watch.cause() == LossCause.REVOKED, "the cause must be REVOKED, not " + watch.cause());
        that(watch.detail().contains("the night is over"), "the reason must be told, not only " + watch.detail());
    }

    @Rule(
            says =
                    "A holder that hears nothing from the store is told that it is at risk, and then, no later than the lease"
                            + " ends, that it has lost, also while a renewal hangs.",
            because = "The other side lets the next one in when the lease is over, whether this side knows it or not.")
    default void h3_silenceIsRiskAndThenLoss(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        DistributedLock lock = scene.client("A", network).lock(scene.lock());
        Lease lease = present(lock.tryAcquire());
        LossWatch watch = new LossWatch(lease);
        network.holdUpNextRequest(Operation.RENEW);
        network.delayNextReply(Operation.RENEW, scene.leases(1.5));
        network.loseRandomly(1, 1);
        scene.await("the lease is not held any more", scene.leases(2.5), () -> !lease.isHeld());
        scene.await("the loss is told", scene.tolerance(), watch::isLost);
        that(watch.cause() == LossCause.EXPIRED, "the cause must be the end of the lease, not " + watch.cause());
        that(watch.wasAtRisk(), "the danger must be told before the loss");
        network.loseRandomly(0, 1);
        grantedAfterLease(scene, scene.claim("B"));
        that(!lease.isHeld(), "a lost lease stays lost");
    }

    @Rule(
            says = "If the store answers again before the lease ends, nothing is lost.",
            because = "A false alarm stops work that was safe.")
    default void h4_aSilenceThatEndsInTimeLosesNothing(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        Lease lease = present(scene.client("A", network).lock(scene.lock()).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        network.loseRandomly(1, 1);
        scene.await(
                "a renewal was not answered",
                () -> !lease.isHeld() || scene.history().renewals("A") > 0);
        network.loseRandomly(0, 1);
        scene.pass(scene.leases(1.2));
        that(!watch.isLost(), "the lease was kept, but a loss was told: " + watch.detail());
        that(lease.release(), "the lease must have been held until its release");
    }

    @Rule(
            says = "A lease is never held after its end, and a lost one stays lost, also when a renewal succeeds late.",
            because = "A flag that turns false and then true again lets two believe in one lock.")
    default void h10_lostStaysLostWhenARenewalAnswersLate(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        Lease lease = present(scene.client("A", network).lock(scene.lock()).tryAcquire());
        network.delayNextReply(Operation.RENEW, scene.leases(1.2));
        long start = System.nanoTime();
        boolean before = true;
        while (System.nanoTime() - start < scene.leases(2).toNanos()) {
            boolean held = lease.isHeld();
            safe(before || !held, "isHeld() was false and is true again");
            that(!held || !lease.remaining().isNegative(), "a held lease has time left");
            before = held;
            scene.pass(Duration.ofMillis(1));
        }
        that(!before, "a lease whose renewal answers after its end must be lost");
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "The holder's view of its lease ends before the store's.",
            because = "The next holder must not come while this one still believes in its lease.")
    default void f4_theHolderGivesUpBeforeTheStoreDoes(Scene scene) throws InterruptedException {
        DistributedLock lock = scene.lockOf("A", scene.options("A").withRenewal(false));
        Lease lease = present(lock.tryAcquire());
        that(lease.remaining().compareTo(scene.lease()) <= 0, "the rest of a lease is not longer than the lease");
        grantedAfterLease(scene, scene.claim("B"));
        safe(!lease.isHeld(), "the holder still believed in its lease when the next one was granted the lock");
    }
}
