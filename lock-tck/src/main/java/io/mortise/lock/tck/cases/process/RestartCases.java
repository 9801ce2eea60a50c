// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.process;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.risen;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Cases with stores that are restarted, sessions that end, and locks that were stored without an end. */
public interface RestartCases {
    @Rule(
            says = "A restart of the store that keeps its data keeps locks and revocations, and renewals go on.",
            because = "Servers are updated while work goes on.")
    default void o1_aRestartThatKeepsDataKeepsLocks(Scene scene) throws InterruptedException {
        // Long enough for a restart, and renewed soon after one.
        Duration longer = scene.honoured(scene.limit().dividedBy(2));
        Lease lease =
                present(scene.lockOf("A", scene.options("A").withLease(longer)).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        boolean revocable = scene.backend("C").features().contains(Feature.REVOCABLE);
        long asked = System.nanoTime();
        RecordingClaim revoked = granted(scene.lasting("B", scene.lock("revoked")));
        that(
                !revocable || scene.backend("C").revoke(scene.lock("revoked"), "make room", false, scene.callLimit()),
                "somebody held the lock");
        scene.within(lease.remaining(), scene.faults()::restartStore);
        long before = scene.history().renewed("A");
        taken(scene);
        scene.await(
                "the lock is renewed after the restart",
                () -> watch.isLost() || scene.history().renewed("A") > before);
        that(!watch.isLost(), "the lease was lost by a restart that kept the data: " + watch.detail());
        taken(scene);
        if (revocable) {
            scene.await("the revoked claim is refused after the restart", () -> {
                try {
                    return !revoked.renew();
                } catch (BackendException notConnectedYet) {
                    return false;
                }
            });
            Duration elapsed = Duration.ofNanos(System.nanoTime() - asked);
            boolean hasEnded = elapsed.compareTo(revoked.request().lease().minus(scene.lease())) > 0;
            that(
                    hasEnded || revoked.loss().cause() == LossCause.REVOKED,
                    "the loss must be REVOKED, not " + revoked.loss());
        }
        that(lease.release(), "the lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says =
                    "A restart of the store that loses data is told as a loss within a renewal; nobody is resurrected, and"
                            + " tokens rise. A store of servers that survives the loss keeps the lock.",
            because = "The store will let the next one in; the holder must stop.")
    default void o2_aRestartThatLosesDataIsALoss(Scene scene) throws InterruptedException {
        RecordingClaim quiet = granted(scene.lasting("C", scene.lock("quiet")));
        Lease lease = present(scene.lockOf("A", lasting(scene)).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        scene.within(lease.remaining(), scene.faults()::restartStoreEmpty);
        if (survivesLoss(scene)) {
            taken(scene);
            that(answered(scene, quiet::renew), "a store of this safety level keeps its locks");
            that(lease.release(), "a store of this safety level keeps its locks");
            return;
        }
        that(!answered(scene, quiet::renew), "a renewal must not create a lock again that the store has lost");
        scene.await("the loss is told", scene.leases(5).plus(scene.tolerance()), watch::isLost);
        that(
                Set.of(LossCause.EVICTED_OR_DELETED, LossCause.SESSION_LOST).contains(watch.cause()),
                "the cause must be that the store has lost the lock, not " + watch.cause());
        that(!lease.isHeld() && !lease.release(), "a lost lease is not held");
        RecordingClaim next = granted(scene.claim("B", scene.lock("quiet")));
        risen(quiet, next);
        free(scene);
    }

    @Rule(
            says =
                    "When a client's session ends in the store its leases are told as lost, with that cause; what it acquires"
                            + " next is new, and out of the reach of what it held before.",
            because = "Sessions die with connections, and take their locks along.")
    default void h5_anEndedSessionIsALoss(Scene scene) throws InterruptedException {
        LockBackend own = scene.open();
        LockClient client = scene.client("A", own);
        Lease lease = present(client.lock(scene.lock(), lasting(scene)).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        RecordingClaim stale = granted(scene.claim(own, scene.request(scene.lock("other"), "A")));
        scene.faults().endSession(own);
        // A client hears of it when it is connected again: before its lease ends, or the cause would be another.
        scene.await("the loss is told", scene.leases(10).plus(scene.tolerance()), watch::isLost);
        that(watch.cause() == LossCause.SESSION_LOST, "the cause must be the session, not " + watch.cause());
        that(!lease.isHeld() && !lease.release(), "a lost lease is not held");
        RecordingClaim next = scene.claim(own, scene.lastingRequest(scene.lock("other"), "A"));
        scene.await("the client gets the lock again", () -> said(next::tryAcquire));
        safe(!said(stale::renew), "a claim of an ended session must not be renewed");
        that(!said(stale::release), "a claim of an ended session did not hold until its release");
        taken(scene, scene.lock("other"));
        risen(stale, next);
        present(client.lock(scene.lock()).tryAcquire(scene.limit())).release();
    }

    @Rule(
            says = "What has no end in the store is neither free nor anybody's own: it is refused or reported.",
            because = "A client that died between two steps left it; whoever takes it for free may meet its owner.")
    default void f3_stateWithoutAnEndIsNeitherFreeNorOnesOwn(Scene scene) {
        scene.faults().writeWithoutEnd(scene.lock());
        RecordingClaim claim = scene.claim("A");
        for (int i = 0; i < 2; i++) {
            safe(!said(claim::tryAcquire), "a lock without an end must not count as free");
            safe(!said(claim::renew), "a lock without an end is not this claim's");
            safe(!said(claim::release), "a lock without an end is not this claim's");
        }
        that(!said(scene.claim("B")::tryAcquire), "a refused claim must not have removed what was there");
        scene.faults().deleteBehindBack(scene.lock());
        free(scene);
    }

    /** Yes, or anything else. */
    private static boolean said(BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (BackendException reported) {
            return false;
        }
    }

    private static LockOptions lasting(Scene scene) {
        return scene.options("A").withLease(scene.honoured(scene.leases(10)));
    }

    private static boolean survivesLoss(Scene scene) {
        SafetyLevel level = scene.backend("C").safetyLevel();
        return level == SafetyLevel.QUORUM || level == SafetyLevel.CONSENSUS;
    }
}
