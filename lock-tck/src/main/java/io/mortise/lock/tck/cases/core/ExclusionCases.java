// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.empty;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Cases about mutual exclusion: only one client holds a lock at a time, however many try at once. */
public interface ExclusionCases {
    @Rule(
            says =
                    "A second client is refused while a lock is held, and granted it after the release; then the first is refused.",
            because =
                    "Two holders at once corrupt what the lock protects, also if one remembers that it has left the lock free.")
    default void a1_secondClientIsRefusedWhileHeld(Scene scene) {
        RecordingClaim first = granted(scene.lasting("A"));
        RecordingClaim second = scene.lasting("B");
        refused(second);
        that(first.release(), "the holder's release must say that it held the lock");
        granted(second);
        refused(scene.lasting("A"));
    }

    @Rule(
            says = "A claim holds, not a client, a thread or a host: a second claim of the same client is refused.",
            because = "Two threads of one process exclude each other, too.")
    default void a1_secondClaimOfTheSameClientIsRefused(Scene scene) {
        granted(scene.lasting("A"));
        refused(scene.lasting("A"));
    }

    @Rule(
            says =
                    "Claims are different if their owners differ in one digit, and also if the owners have equal hashes.",
            because = "An owner that is cut or hashed lets a stranger renew and release a lock, once in so many.")
    default void a1_eachDigitOfAnOwnerCounts(Scene scene) {
        String owner = scene.lasting("A").request().owner();
        List<List<String>> pairs = new ArrayList<>();
        for (int digit : new int[] {0, 7, 8, 15, 16, 23, 24, owner.length() - 1}) {
            char other = owner.charAt(digit) == '0' ? '1' : '0';
            pairs.add(List.of(owner, owner.substring(0, digit) + other + owner.substring(digit + 1)));
        }
        pairs.add(EqualHashes.pair(owner.substring(0, owner.length() - 8), Arrays::hashCode));
        for (int i = 0; i < pairs.size(); i++) {
            ClaimRequest request = scene.lastingRequest(scene.lock("lock-" + i), "owner");
            RecordingClaim holder = granted(
                    scene.claim(scene.backend("A"), owned(request, pairs.get(i).get(0))));
            RecordingClaim stranger =
                    scene.claim(scene.backend("B"), owned(request, pairs.get(i).get(1)));
            refused(stranger);
            that(!stranger.renew(), "a stranger must not renew");
            that(!stranger.release(), "a stranger must not release");
            that(holder.release(), "the holder must have held");
        }
    }

    private static ClaimRequest owned(ClaimRequest request, String owner) {
        return new ClaimRequest(
                request.lock(),
                owner,
                request.label(),
                request.lease(),
                request.waits(),
                request.tokenFloor(),
                request.tokenCount());
    }

    @Rule(
            says = "Of many tries at once for a lock whose lease has just ended, one is granted.",
            because = "Those who find an old lock and remove it, remove each other's new one.")
    default void a1_oneOfManyTakesOverAnEndedLease(Scene scene) throws Exception {
        for (int i = 0; i < 8; i++) {
            granted(scene.claim("A", scene.lock("lock-" + i)));
        }
        scene.pass(scene.leases(0.7));
        List<BackgroundTask<List<RecordingClaim>>> contenders = new ArrayList<>();
        long end = System.nanoTime() + scene.leases(0.8).plusSeconds(5).toNanos();
        // All try the same lock until somebody has it: they find its lease ended at the same moment.
        AtomicInteger wanted = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            String who = "C" + i;
            List<RecordingClaim> claims = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                claims.add(scene.lasting(who, scene.lock("lock-" + j)));
            }
            contenders.add(scene.start(who, () -> {
                List<RecordingClaim> taken = new ArrayList<>();
                for (int next = 0; next < 8 && System.nanoTime() - end < 0; next = wanted.get()) {
                    if (claims.get(next).tryAcquire()) {
                        taken.add(claims.get(next));
                        wanted.compareAndSet(next, next + 1);
                    } else if (wanted.get() == next) {
                        scene.pass(Duration.ofMillis(1));
                    }
                }
                return taken;
            }));
        }
        List<RecordingClaim> taken = new ArrayList<>();
        for (BackgroundTask<List<RecordingClaim>> contender : contenders) {
            taken.addAll(contender.get(scene.limit()));
        }
        that(taken.size() == 8, "of 8 locks whose leases had ended, " + taken.size() + " were granted");
        taken.forEach(claim -> that(claim.renew(), claim + " took over an ended lease, and does not hold it"));
    }

    @Rule(
            says = "Locks of different names are independent, however many one client holds.",
            because = "Locks that share a bucket, a row or a hash make strangers wait for each other.")
    default void a2_differentNamesAreIndependent(Scene scene) {
        List<RecordingClaim> claims = new ArrayList<>();
        for (int i = 0; i < scene.times(1000, 50); i++) {
            claims.add(granted(scene.lasting("A", scene.lock("name-" + i))));
        }
        claims.forEach(claim -> that(claim.release(), claim + " must still have held its own lock"));
        free(scene, scene.lock("name-0"));
    }

    @Rule(
            says = "A lock is not re-entrant: the thread that holds it is refused like everybody else.",
            because = "Code that re-enters without knowing it breaks the invariants of the code that it interrupts.")
    default void a5_aLockIsNotReentrant(Scene scene) {
        DistributedLock lock = scene.lockOf("A", scene.lastingOptions("A"));
        try (Lease held = present(lock.tryAcquire())) {
            empty(lock.tryAcquire());
            empty(scene.lockOf("B").tryAcquire());
            that(held.isHeld(), "refusing others must not end the lease");
        }
    }

    @Rule(
            says = "Acquiring and releasing a lock a thousand times works the last time as it did the first.",
            because = "Rows, watches, threads or queue entries left behind stop a service after weeks.")
    default void a7_manyRoundsWorkLikeTheFirst(Scene scene) {
        DistributedLock lock = scene.lockOf("A");
        for (int i = 0; i < scene.times(1000, 50); i++) {
            that(present(lock.tryAcquire()).release(), "round " + i + " must have held until its release");
        }
        free(scene);
    }

    @Rule(
            says = "Of many first tries at once for a name that the store has never seen, one is granted and the others"
                    + " are refused, without an exception.",
            because = "A lost race to create a row or node is a busy lock, not an error.")
    default void a8_firstTriesAtOnceGetYesOrNo(Scene scene) throws Exception {
        for (int round = 0; round < 10; round++) {
            String lock = scene.lock("new-" + round);
            CyclicBarrier together = new CyclicBarrier(4);
            List<BackgroundTask<Boolean>> tries = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RecordingClaim claim = scene.lasting("C" + i, lock);
                tries.add(scene.start("try " + i, () -> {
                    together.await();
                    return claim.tryAcquire();
                }));
            }
            int granted = 0;
            for (BackgroundTask<Boolean> each : tries) {
                granted += each.get(scene.limit()) ? 1 : 0;
            }
            safe(granted == 1, "of four first tries at once one must be granted, not " + granted);
            taken(scene, lock);
        }
    }

    @Rule(
            says = "Threads of several clients that increment a number under the lock lose no increment.",
            because = "This is what every user of a lock relies on.")
    default void a3_noIncrementIsLost(Scene scene) throws Exception {
        new CounterRace(scene, 3, 3).run(false);
    }

    @Rule(
            says = "The same holds when leases are released by other threads than those that acquired them.",
            because = "Asynchronous code ends where it did not begin; a lease belongs to whoever has it.")
    default void a4_noIncrementIsLostWhenOthersRelease(Scene scene) throws Exception {
        new CounterRace(scene, 2, 3).run(true);
    }
}
