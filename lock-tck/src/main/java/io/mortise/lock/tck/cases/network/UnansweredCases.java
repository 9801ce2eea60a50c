// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;

/** Cases with requests and replies that are lost or late. */
public interface UnansweredCases {
    @Rule(
            says = "A claim whose granted try was not heard of tries again and finds its own grant.",
            because = "A client that meets its own lock and waits for it to go away waits for a lease.")
    default void j2_aRepeatedTryFindsItsOwnGrant(Scene scene) {
        LossyBackend network = scene.lossy();
        RecordingClaim claim = lasting(scene, network);
        network.loseNextReply(Operation.TRY);
        thrown(RuntimeException.class, claim::tryAcquire, "the reply was lost");
        granted(claim);
        refused(scene.claim("B"));
        that(claim.release(), "the holder must have held");
        free(scene);
    }

    @Rule(
            says = "A release whose reply was lost has freed the lock, and can be repeated without harm.",
            because = "The second release must not hit the next holder.")
    default void j3_aReleaseWithALostReplyCanBeRepeated(Scene scene) {
        LossyBackend network = scene.lossy();
        RecordingClaim claim = granted(lasting(scene, network));
        network.loseNextReply(Operation.RELEASE);
        thrown(RuntimeException.class, claim::release, "the reply was lost");
        RecordingClaim next = granted(scene.lasting("B"));
        claim.release();
        refused(scene.claim("C"));
        that(next.release(), "the next holder must still hold");
    }

    @Rule(
            says = "A try that reaches the store after its claim's release gets nothing, or at most one lease.",
            because = "Nobody knows of such a lock, so nobody would release it.")
    default void j5_aTryAfterItsReleaseHoldsAtMostALease(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        RecordingClaim late = heldUpTry(scene, network);
        late.release();
        that(network.deliverHeldUp() == 1, "the held-up try must reach the store now");
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says =
                    "A try that reaches the store late takes nothing from the holder, and stands in no queue for longer than a"
                            + " lease.",
            because = "Messages overtake each other.")
    default void j5_aLateTryTakesNothingFromOthers(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        RecordingClaim late = heldUpTry(scene, network);
        late.release();
        RecordingClaim holder = granted(scene.lasting("B"));
        network.deliverHeldUp();
        that(holder.renew(), "the holder must still hold");
        refused(scene.claim("C"));
        that(holder.release(), "the holder must still hold");
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "A renewal that reaches the store after the release changes nothing.",
            because = "It would resurrect a lock, or extend a stranger's.")
    default void j5_aLateRenewalChangesNothing(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        RecordingClaim claim = granted(claim(scene, network));
        network.holdUpNextRequest(Operation.RENEW);
        thrown(RuntimeException.class, claim::renew, "the renewal is held up");
        that(claim.release(), "the holder must have held");
        granted(scene.claim("B"));
        network.deliverHeldUp();
        Duration took = time(() -> freeWithin(scene, scene.afterLease()));
        that(took.compareTo(scene.afterLease()) <= 0, "a late renewal has extended the lease of another");
    }

    @Rule(
            says = "A release that reaches the store after the lease has ended does not free the next holder's lock.",
            because = "Two holders at once.")
    default void j5_aLateReleaseFreesNobodyElse(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        RecordingClaim claim = granted(claim(scene, network));
        network.holdUpNextRequest(Operation.RELEASE);
        thrown(RuntimeException.class, claim::release, "the release is held up");
        RecordingClaim next = grantedAfterLease(scene, scene.lasting("B"));
        network.deliverHeldUp();
        refused(scene.claim("C"));
        that(next.renew(), "the next holder must still hold");
    }

    private static RecordingClaim claim(Scene scene, LossyBackend network) {
        return scene.claim(scene.recorded("A", network), scene.request(scene.lock(), "A"));
    }

    private static RecordingClaim lasting(Scene scene, LossyBackend network) {
        return scene.claim(scene.recorded("A", network), scene.lastingRequest(scene.lock(), "A"));
    }

    private static RecordingClaim heldUpTry(Scene scene, LossyBackend network) {
        RecordingClaim late = claim(scene, network);
        network.holdUpNextRequest(Operation.TRY);
        thrown(RuntimeException.class, late::tryAcquire, "the try is held up");
        return late;
    }
}
