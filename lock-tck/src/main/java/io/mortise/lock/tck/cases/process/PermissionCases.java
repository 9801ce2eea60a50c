// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.process;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Expect.Action;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.Pause;
import java.time.Duration;

/** Cases with clients whose permission is withdrawn while they work, and is given back. */
public interface PermissionCases {
    @Rule(
            says =
                    "A try that the store refuses for good is told at once as refused, not as busy, and not as silence after"
                            + " the whole wait. With its permission back the same client gets the lock.",
            because = "Somebody must change the configuration; who hears of busy locks or of silence waits instead.")
    default void o9_aTryWithoutPermissionIsRefusedAtOnce(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("A");
        present(lock.tryAcquire()).close();
        RecordingClaim claim = granted(scene.claim("B"));
        that(claim.release(), "a claim that holds must be released");
        scene.faults().withdrawPermission();
        refused(scene, "a try of a claim", scene.claim("B")::tryAcquire);
        refusedToUsers(scene, "a try", lock::tryAcquire);
        refusedToUsers(scene, "a wait", () -> lock.tryAcquire(scene.limit()));
        scene.faults().givePermissionBack();
        that(
                present(lock.tryAcquire(scene.limit())).release(),
                "with permission a lock must be held until its release");
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says =
                    "A holder whose renewals the store refuses for good is told of the loss when its lease ends, and why; one"
                            + " whose renewals need no permission keeps the lock.",
            because =
                    "Until then nobody else gets the lock, and afterwards only the reason tells what is to be changed.")
    default void o9_aHolderWithoutPermissionIsToldAtTheEndOfItsLease(Scene scene) throws Exception {
        RecordingClaim claim = granted(scene.lasting("B", scene.lock("other")));
        DistributedLock lock = scene.lockOf("A");
        Lease lease = present(lock.tryAcquire());
        LossWatch watch = new LossWatch(lease);
        // Begun before, because to withdraw a permission may take longer than the lease lasts.
        BackgroundTask<EndOfLease> end = scene.start("A, watched", () -> EndOfLease.of(lease, watch));
        scene.faults().withdrawPermission();
        if (renewsWithoutPermission(scene, claim)) {
            scene.pass(scene.leases(2));
            that(lease.isHeld(), "a lease that the store renews must be held: " + watch.detail());
            scene.faults().givePermissionBack();
            taken(scene);
            that(lease.release(), "the lease must have been held until its release");
            return;
        }
        EndOfLease ended = end.get(scene.leases(2).plus(scene.tolerance()));
        that(
                watch.toldAt() - ended.earliest >= 0,
                "the loss must not be told before the lease ends: " + watch.detail());
        Duration late = Duration.ofNanos(Math.max(0, watch.toldAt() - ended.latest));
        between("telling the loss after the end of the lease", late, Duration.ZERO, scene.tolerance());
        that(
                watch.cause() == LossCause.EXPIRED && watch.detail().contains("refused"),
                "the loss must be an end of the lease that tells of the refusal, not " + watch.cause() + ": "
                        + watch.detail());
        scene.faults().givePermissionBack();
        that(!lease.release(), "a lost lease is not held");
        that(
                present(lock.tryAcquire(scene.limit())).release(),
                "with permission a lock must be held until its release");
    }

    @Rule(
            says =
                    "A release that the store refuses for good says so. With the permission back the lock is free, when its"
                            + " lease has ended at the latest.",
            because = "A lock that is said to be free and is not keeps everybody out, and nobody looks for the reason.")
    default void o9_aReleaseWithoutPermissionSaysSo(Scene scene) throws Exception {
        RecordingClaim claim = granted(scene.claim("B", scene.lock("other"), scene.leases(3)));
        Lease lease = present(scene.lockOf("A", scene.options("A").withLease(scene.honoured(scene.leases(3))))
                .tryAcquire());
        scene.within(lease.remaining(), scene.faults()::withdrawPermission);
        LockReleaseException refusal = thrown(
                LockReleaseException.class,
                lease::release,
                "a release that is refused must not pass for one that took place");
        that(
                String.valueOf(refusal.getMessage()).contains("refused"),
                "the exception must tell of the refusal, but said: " + refusal.getMessage());
        refused(scene, "a release of a claim", claim::release);
        scene.faults().givePermissionBack();
        freeWithin(scene, scene.leases(3).plus(scene.afterLease()));
        answered(scene, claim::release);
        freeWithin(scene, scene.lock("other"), scene.leases(3).plus(scene.afterLease()));
    }

    /** The moments by {@link System#nanoTime} between which a lease ended, from what it told before its loss. */
    record EndOfLease(long earliest, long latest) {
        /** Asks until the loss is told. */
        static EndOfLease of(Lease lease, LossWatch watch) throws InterruptedException {
            EndOfLease end = new EndOfLease(System.nanoTime(), System.nanoTime());
            while (!watch.isLost()) {
                long before = System.nanoTime();
                long left = lease.remaining().toNanos();
                if (left > 0) {
                    end = new EndOfLease(before + left, System.nanoTime() + left);
                }
                Pause.of(Duration.ofMillis(2));
            }
            return end;
        }
    }

    private static boolean renewsWithoutPermission(Scene scene, RecordingClaim claim) throws Exception {
        boolean[] renewed = new boolean[1];
        try {
            renewed[0] = claim.renew();
        } catch (BackendException failure) {
            refused(scene, "a renewal of a claim", () -> {
                throw failure;
            });
            return false;
        }
        that(renewed[0], "a renewal that is refused must not be told as the loss of the lock");
        return true;
    }

    private static void refused(Scene scene, String what, Action call) throws Exception {
        long begin = System.nanoTime();
        BackendException refusal = thrown(
                BackendException.class, call, what + " without permission must be refused, not be answered yes or no");
        atOnce(scene, what, begin);
        that(
                refusal.kind() == BackendException.Kind.REFUSED,
                what + " without permission must be told as refused, not as without an answer: " + refusal);
    }

    private static void refusedToUsers(Scene scene, String what, Action call) throws Exception {
        long begin = System.nanoTime();
        thrown(LockConfigurationException.class, call, what + " without permission must be told as refused");
        atOnce(scene, what, begin);
    }

    /** Well within a call's time: whoever takes a refusal for silence asks again until that is over. */
    private static void atOnce(Scene scene, String what, long begin) {
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        between(
                "telling that " + what + " is refused",
                took,
                Duration.ZERO,
                scene.brief().plus(scene.tolerance()));
    }
}
