// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.Optional;

/** Cases with clients behind a bad network: every lost message has a defined outcome. */
public interface BadNetworkCases {
    @Rule(
            says = "A client whose granted try was not heard of ends up with the lease, or with a free lock.",
            because = "Otherwise the lock is held by somebody who does not know it.")
    default void j1_aLostGrantIsFoundAgain(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        network.loseNextReply(Operation.TRY);
        Lease lease = present(scene.client("A", network).lock(scene.lock()).tryAcquire(scene.limit()));
        lease.ensureHeld();
        taken(scene);
        that(lease.release(), "the lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says = "A client that gives up after an unanswered try gives back what it may have been granted.",
            because = "The caller was told that it has no lock, and nobody else will release it.")
    default void j1_aGivenUpTryLeavesNothing(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        DistributedLock lock = scene.client("A", network, builder -> builder.callTimeout(Duration.ofMillis(50)))
                .lock(scene.lock(), scene.lastingOptions("A"));
        for (int i = 0; i < 100; i++) {
            network.loseNextReply(Operation.TRY);
        }
        try {
            present(lock.tryAcquire()).release();
        } catch (LockStoreException unanswered) {
            freeWithin(scene, scene.afterLease());
        }
        free(scene);
    }

    @Rule(
            says = "A release whose first reply was lost, and that is then told \"not yours\", was a release.",
            because = "It would report a loss where there was none.")
    default void j3_aReleaseWithALostReplyIsARelease(Scene scene) {
        LossyBackend network = scene.lossy();
        Lease lease = present(scene.client("A", network).lock(scene.lock()).tryAcquire());
        network.loseNextReply(Operation.RELEASE);
        that(lease.release(), "the lease was held until its release, whose reply was lost");
        free(scene);
    }

    @Rule(
            says = "A grant whose reply comes after its lease has ended is not a grant.",
            because = "By then somebody else may hold the lock.")
    default void f5_aGrantThatComesTooLateIsNone(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        DistributedLock lock = scene.client("A", network).lock(scene.lock());
        network.delayNextReply(Operation.TRY, scene.leases(1.2));
        try {
            lock.tryAcquire().ifPresent(late -> {
                late.ensureHeld();
                that(
                        late.remaining().compareTo(scene.lease()) <= 0,
                        "the rest of a lease is not longer than the lease");
                taken(scene);
                late.release();
            });
        } catch (LockStoreException tooLate) {
            that(tooLate.lockName().equals(scene.lock()), "the exception must name the lock");
        }
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "A grant at the moment at which the wait ends is either the caller's or nobody's.",
            because = "Two sides that decide at the same time must decide the same.")
    default void j6_aGrantAtTheEndOfTheWaitIsNotLost(Scene scene) throws Exception {
        LockClient client = scene.client("B");
        Duration wait = scene.leases(0.06);
        for (int i = 0; i < 16; i++) {
            String lock = scene.lock("lock-" + i);
            RecordingClaim holder = granted(scene.lasting("A", lock));
            BackgroundTask<Optional<Lease>> waiting =
                    scene.start("B", () -> client.lock(lock).tryAcquire(wait));
            scene.pass(wait.minusMillis(4).plusNanos(i * 500_000L));
            holder.release();
            isTheCallersOrNobodys(scene, lock, waiting);
        }
        LossyBackend network = scene.lossy();
        LockClient late = scene.client("C", network);
        for (int i = 0; i < 3; i++) {
            String lock = scene.lock("late-" + i);
            network.delayNextReply(Operation.TRY, wait.multipliedBy(2));
            isTheCallersOrNobodys(
                    scene, lock, scene.start("C", () -> late.lock(lock).tryAcquire(wait)));
        }
    }

    private static void isTheCallersOrNobodys(Scene scene, String lock, BackgroundTask<Optional<Lease>> waiting)
            throws Exception {
        try {
            Optional<Lease> answer = waiting.get(scene.limit());
            answer.ifPresent(lease -> that(lease.release(), "the lease must have been held until its release"));
        } catch (LockStoreException unanswered) {
            freeWithin(scene, lock, scene.afterLease());
        }
        free(scene, lock);
    }

    @Rule(
            says = "With a fifth of all messages lost, clients still get the lock, and never two at once.",
            because = "Bad minutes happen; they must cost time, not safety.")
    default void j1_aFifthOfAllMessagesLost(Scene scene) throws Exception {
        int rounds = scene.times(15, 4);
        BackgroundTask<?>[] runners = new BackgroundTask<?>[3];
        for (int i = 0; i < runners.length; i++) {
            LossyBackend network = scene.lossy();
            network.loseRandomly(0.2, 7L + i);
            DistributedLock lock = scene.client("C" + i, network).lock(scene.lock());
            runners[i] = scene.start("C" + i, () -> {
                int got = 0;
                for (int round = 0; round < rounds; round++) {
                    Lease lease = lock.acquire();
                    got++;
                    scene.pass(Duration.ofMillis(1));
                    try {
                        lease.release();
                    } catch (LockReleaseException unanswered) {
                        scene.pass(Duration.ofMillis(1));
                    }
                }
                return got;
            });
        }
        for (BackgroundTask<?> runner : runners) {
            that(runner.get(scene.limit().multipliedBy(6)).equals(rounds), "every call must get the lock in the end");
        }
    }
}
