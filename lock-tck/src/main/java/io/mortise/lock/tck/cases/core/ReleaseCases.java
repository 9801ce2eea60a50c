// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Cases about the release of a lock: only its owner can release it, and the answer tells the truth. */
public interface ReleaseCases {
    @Rule(
            says = "A release by a claim whose lease has ended does not touch the next holder, and answers false.",
            because = "A holder that was slow once frees the lock of another, and the next one is let in beside it.")
    default void e1_staleReleaseDoesNotFreeTheNextHolder(Scene scene) throws InterruptedException {
        RecordingClaim stale = granted(scene.claim("A"));
        RecordingClaim next =
                grantedAfterLease(scene, scene.claim(scene.backend("B"), scene.lastingRequest(scene.lock(), "A")));
        that(!stale.release(), "a release that comes too late must not say that it held the lock");
        taken(scene);
        that(next.renew(), "the next holder must still hold the lock");
    }

    @Rule(
            says = "This is so, too, when both holders are claims of the same client.",
            because = "An owner per process, host or thread takes the second for the first.")
    default void e1_staleReleaseDoesNotFreeTheNextHolderOfTheSameClient(Scene scene) throws InterruptedException {
        RecordingClaim stale = granted(scene.claim("A"));
        grantedAfterLease(scene, scene.lasting("A"));
        that(!stale.release(), "a release that comes too late must not say that it held the lock");
        taken(scene);
    }

    @Rule(
            says = "Comparing the owner and letting go are one atomic step.",
            because = "A read, a compare and a delete free the lock of whoever came between them.")
    default void e1_releaseAtTheEndOfTheLeaseIsAtomic(Scene scene) throws Exception {
        // Most releases come close to the end of a lease, when another client takes over. Some come earlier: they
        // show the mistake of a client that looks in time and is then held up, however late this machine is.
        int near = 24;
        int early = 8;
        List<RecordingClaim> next = new ArrayList<>();
        List<BackgroundTask<Boolean>> releases = new ArrayList<>();
        for (int i = 0; i < near + early; i++) {
            next.add(scene.lasting("B", scene.lock("lock-" + i)));
            RecordingClaim claim = granted(scene.claim("A", scene.lock("lock-" + i)));
            long millisAfterEnd = i < near ? 2L * (i - near / 2) : 50L * (near - 1 - i);
            long at =
                    System.nanoTime() + scene.lease().plusMillis(millisAfterEnd).toNanos();
            releases.add(scene.start("release " + i, () -> {
                scene.pass(Duration.ofNanos(Math.max(1, at - System.nanoTime())));
                return claim.release();
            }));
        }
        List<RecordingClaim> waiting = new ArrayList<>(next);
        scene.await("all locks are free after their leases", () -> {
            waiting.removeIf(RecordingClaim::tryAcquire);
            return waiting.isEmpty();
        });
        for (BackgroundTask<Boolean> release : releases) {
            release.get(scene.limit());
        }
        for (RecordingClaim claim : next) {
            safe(claim.renew(), claim + " holds the lock, but an older release has freed it");
        }
    }

    @Rule(
            says =
                    "A renewal by a claim whose lease has ended answers false and does not extend the next holder's lease.",
            because = "The old holder goes on beside the new one, and keeps its lock alive when it has died.")
    default void e2_staleRenewalDoesNotExtendTheNextLease(Scene scene) throws Exception {
        RecordingClaim stale = granted(scene.claim("A"));
        grantedAfterLease(scene, scene.claim("A"));
        scene.pass(scene.leases(0.6));
        safe(!stale.renew(), "a stale claim must not be renewed");
        RecordingClaim last = scene.claim("B");
        Duration rest = time(() -> grantedAfterLease(scene, last));
        Duration most = scene.leases(0.4).plusSeconds(2).plus(scene.tolerance());
        that(rest.compareTo(most) < 0, "a stale renewal has extended the lease of the next holder by " + rest);
    }

    @Rule(
            says = "Releasing again is harmless: it answers false and does not touch the next holder.",
            because = "Releases are repeated whenever an answer was lost.")
    default void e3_releasingAgainIsHarmless(Scene scene) {
        RecordingClaim first = granted(scene.lasting("A"));
        that(first.release(), "the first release must say that it held the lock");
        that(!first.release(), "the second release must not say that it held the lock");
        RecordingClaim next = granted(scene.lasting("B"));
        that(!first.release(), "the third release must not say that it held the lock");
        refused(scene.lasting("C"));
        that(next.release(), "the next holder must still hold the lock");
    }

    @Rule(
            says = "A release answers true only if the claim held the lock until then.",
            because = "A false true hides that the lock was lost; a false false raises an alarm for nothing.")
    default void e4_releaseSaysWhetherItHeld(Scene scene) throws InterruptedException {
        that(!scene.claim("A").release(), "a claim that never asked cannot have held the lock");
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim refused = scene.claim("B");
        refused(refused);
        that(!refused.release(), "a claim that was refused cannot have held the lock");
        taken(scene);
        that(holder.release(), "the holder must have held the lock");
        RecordingClaim expired = granted(scene.claim("A"));
        grantedAfterLease(scene, scene.lasting("B"));
        that(!expired.release(), "a claim whose lease has ended does not hold the lock");
    }

    @Rule(
            says = "Claims of a closed backend throw, and its locks end with their leases.",
            because = "A closed client that still answers grants locks that nobody renews.")
    default void e8_aClosedBackendThrows(Scene scene) {
        RecordingClaim claim = scene.claim("A");
        scene.backend("A").close();
        scene.backend("A").close();
        thrown(BackendException.class, claim::tryAcquire, "a closed backend must not answer a try");
        thrown(BackendException.class, claim::renew, "a closed backend must not answer a renewal");
    }
}
