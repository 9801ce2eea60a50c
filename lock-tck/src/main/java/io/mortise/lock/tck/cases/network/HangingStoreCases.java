// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Expect;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Cases with a store that does not answer: a call never takes that for "busy", and never waits without end. */
public interface HangingStoreCases {
    @Rule(
            says = "Every question to a store that hangs is given up in the time it was given, and throws.",
            because = "One blocked read stops renewals, releases and everybody who waits behind them.")
    default void c2_questionsToAHangingStoreAreGivenUp(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim other = scene.claim("B");
        scene.faults().pauseStore();
        throwsInTime(scene, "a try", () -> other.tryAcquire(scene.brief()));
        throwsInTime(scene, "a renewal", () -> holder.renew(holder.request().lease(), scene.brief()));
        throwsInTime(scene, "a release", () -> holder.release(scene.brief()));
        scene.faults().resumeStore();
        other.release();
        holder.release();
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "A timed wait ends in its time when the store hangs, with an exception that says so.",
            because = "The store's trouble must not become everybody's.")
    default void c2_aTimedWaitEndsWhenTheStoreHangs(Scene scene) throws Exception {
        DistributedLock lock = impatient(scene, "B", scene.open());
        scene.faults().pauseStore();
        Duration twice = scene.brief().multipliedBy(2);
        Expect.Action question = () ->
                thrown(LockStoreException.class, () -> lock.tryAcquire(twice), "a store that hangs is not a busy lock");
        BackgroundTask<Duration> waiting = scene.start("B", () -> time(question));
        // Beside the wait, what was asked for may be given back in one more call time-out.
        Duration most = scene.brief().multipliedBy(3).plus(scene.tolerance());
        between("a wait of twice the time-out", waiting.get(scene.limit()), scene.brief(), most);
        scene.faults().resumeStore();
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says =
                    "A store that never answers is reported as such, not as a busy lock, after a bounded number of tries.",
            because = "\"Busy\" means that somebody does the work; nobody does if the store is down.")
    default void c7_silenceIsNotBusy(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        DistributedLock lock = impatient(scene, "B", network);
        network.loseRandomly(1, 1);
        thrown(LockStoreException.class, lock::tryAcquire, "an unanswered try is not a busy lock");
        long before = network.calls(Operation.TRY);
        Duration twice = scene.brief().multipliedBy(2);
        thrown(LockStoreException.class, () -> lock.tryAcquire(twice), "an unanswered wait is not a busy lock");
        long tries = network.calls(Operation.TRY) - before;
        that(tries >= 2, "a wait must try again when the store does not answer, not only " + tries + " times");
        that(tries <= 200, "within twice the time-out without an answer the store was asked " + tries + " times");
        network.loseRandomly(0, 1);
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says =
                    "When the store does not answer, no thread of a client is told that the lock is busy, however many ask at"
                            + " once.",
            because = "Threads that wait behind the one that asks know no more than that one.")
    default void c7_silenceIsNotBusyForAnyThread(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        DistributedLock lock = impatient(scene, "B", network);
        network.loseRandomly(1, 1);
        List<BackgroundTask<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(scene.start("B" + i, () -> {
                for (int round = 0; round < 2; round++) {
                    thrown(LockStoreException.class, lock::tryAcquire, "an unanswered try is not a busy lock");
                    Expect.Action timed = () -> lock.tryAcquire(scene.brief());
                    thrown(LockStoreException.class, timed, "an unanswered wait is not a busy lock");
                }
                return true;
            }));
        }
        for (BackgroundTask<Boolean> thread : threads) {
            thread.get(scene.limit());
        }
        network.loseRandomly(0, 1);
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "A try without an answer counts as \"not yet\" while there is time to wait.",
            because = "A lost packet must not fail a call that could still succeed.")
    default void c7_aShortSilenceIsWaitedOut(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        network.loseNextRequest(Operation.TRY);
        network.loseNextReply(Operation.TRY);
        DistributedLock lock = scene.client("B", network).lock(scene.lock());
        Lease lease = present(lock.tryAcquire(scene.limit()));
        lease.ensureHeld();
        that(lease.release(), "the lease must have been held");
        free(scene);
    }

    @Rule(
            says =
                    "A release that the store does not answer fails with a typed exception, lets the next thread of the client"
                            + " go on, and frees the lock as soon as the store is back, at the latest when the lease ends.",
            because = "A store that is down for a moment must not wedge a JVM.")
    default void e5_anUnansweredReleaseWedgesNobody(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        DistributedLock lock = impatient(scene, "A", network);
        Lease lease = present(lock.tryAcquire());
        network.loseRandomly(1, 1);
        thrown(LockReleaseException.class, lease::release, "an unanswered release must not pretend to have worked");
        that(!lease.isHeld(), "a lease whose release was not answered is not held any more");
        BackgroundTask<Lease> next = scene.start("A2", lock::acquire);
        network.loseRandomly(0, 1);
        next.get(scene.lease().plusSeconds(3).plus(scene.tolerance())).release();
        free(scene);
    }

    @Rule(
            says = "A call that fails lets the next thread of its client go on.",
            because = "One exception must not lock a name for the life of the process.")
    default void l4_aFailedCallOpensTheLocalQueue(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        network.loseRandomly(1, 1);
        DistributedLock lock = impatient(scene, "A", network);
        thrown(LockStoreException.class, lock::tryAcquire, "the try was lost");
        network.loseRandomly(0, 1);
        BackgroundTask<Lease> next = scene.start("A2", lock::acquire);
        that(next.get(scene.afterLease()).release(), "the next thread must hold it");
    }

    private static DistributedLock impatient(Scene scene, String who, LockBackend backend) {
        LockClient client = scene.client(who, backend, builder -> builder.callTimeout(scene.brief()));
        return client.lock(scene.lock());
    }

    private static void throwsInTime(Scene scene, String what, Expect.Action question) throws Exception {
        BackgroundTask<Duration> asking = scene.start(
                what,
                () -> time(() -> thrown(RuntimeException.class, question, what + " to a hanging store must throw")));
        between(what, asking.get(scene.limit()), Duration.ZERO, scene.brief().plus(scene.tolerance()));
    }
}
