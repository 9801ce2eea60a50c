// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.time.Timing.shorter;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Expect;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Cases with answers that come after the call was given up. The backend's own driver meets them: it has asked, does not know the
 * outcome, and gets the answer while it asks for something else.
 */
public interface LateAnswerCases {
    @Rule(
            says = "A claim whose grant was answered too late tries again and finds its own grant.",
            because = "A driver that forgets what it has asked for waits a lease for its own lock.")
    default void j2_aGrantThatWasAnsweredTooLateIsFound(Scene scene) throws InterruptedException {
        SlowWay way = new SlowWay(scene);
        RecordingClaim claim = way.claim("A");
        way.tooLate("a try", () -> claim.tryAcquire(way.atMost()));
        scene.await("the claim finds its own grant", scene.afterLease(), () -> yes(claim::tryAcquire));
        refused(scene.claim("B"));
        that(answered(scene, claim::release), "the holder must have held");
        free(scene);
    }

    @Rule(
            says = "A release that was answered too late can be repeated, frees the lock, and never the next holder's.",
            because =
                    "A driver that counts a release as done, or as not done, without knowing it is wrong once in a while.")
    default void j3_aReleaseThatWasAnsweredTooLateIsRepeated(Scene scene) throws InterruptedException {
        SlowWay way = new SlowWay(scene);
        RecordingClaim next = scene.lasting("B");
        RecordingClaim claim = way.held("A");
        way.tooLate("a release", () -> claim.release(way.atMost()));
        answered(scene, claim::release);
        granted(next);
        answered(scene, claim::release);
        refused(scene.claim("C"));
        that(next.release(), "the next holder must have held until its release");
    }

    @Rule(
            says = "A holder whose renewal was answered too late still holds, and its next renewal says so.",
            because = "A driver that does not know what became of a renewal must ask again, not give the lock up.")
    default void g9_aRenewalThatWasAnsweredTooLateIsRepeated(Scene scene) throws InterruptedException {
        SlowWay way = new SlowWay(scene);
        RecordingClaim claim = way.held("A");
        for (int i = 0; i < 2; i++) {
            way.tooLate("a renewal", () -> claim.renew(claim.request().lease(), way.atMost()));
            that(answered(scene, claim::renew), "the holder must be able to renew after an answer that came too late");
        }
        that(answered(scene, claim::release), "the holder must have held");
        free(scene);
    }

    @Rule(
            says = "An answer that comes after its call was given up is not taken for the answer to another call.",
            because = "A connection on which an answer is still to come says yes to whoever asks next.")
    default void j5_aLateAnswerIsNoAnswerToAnotherCall(Scene scene) throws InterruptedException {
        SlowWay way = new SlowWay(scene);
        String busy = scene.lock("busy");
        granted(scene.lasting("B", busy));
        for (int i = 0; i < 2; i++) {
            RecordingClaim first = way.claim("A", scene.lock("free-" + i));
            RecordingClaim second = way.claim("A", busy);
            boolean healed = i % 2 == 0;
            way.slow();
            way.givenUp("a try", () -> first.tryAcquire(way.atMost()));
            if (healed) {
                way.heal();
            }
            safe(!yes(second::tryAcquire), "the lock is another's: yes was the answer to the try before");
            safe(!renewed(second), "the lock is another's, and this claim never had it");
            way.heal();
            answered(scene, second::release);
            answered(scene, first::release);
            free(scene, scene.lock("free-" + i));
        }
    }

    /** True if the answer is yes; false if it is no, or if there is none. */
    private static boolean yes(BooleanSupplier asking) {
        try {
            return asking.getAsBoolean();
        } catch (BackendException unanswered) {
            return false;
        }
    }

    private static boolean renewed(RecordingClaim claim) {
        return yes(claim::renew);
    }

    /** A client whose answers can be made to come too late. */
    final class SlowWay {
        private final Scene scene;
        private final Route route;
        private final LockBackend far;

        SlowWay(Scene scene) {
            this.scene = scene;
            this.route = scene.faults().route();
            this.far = scene.recorded("A", scene.open(route.store()));
            // The connection is there before answers are late.
            granted(claim("A", scene.lock("first"))).release();
        }

        /** How long a call waits that is to be given up. */
        Duration atMost() {
            return scene.brief().dividedBy(3);
        }

        RecordingClaim claim(String label, String lock) {
            // Who may be cut off can have shorter sessions than others.
            Duration longest = shorter(scene.limit(), far.leaseBounds().longest());
            return scene.claim(far, scene.request(lock, label, longest));
        }

        RecordingClaim claim(String label) {
            return claim(label, scene.lock());
        }

        RecordingClaim held(String label) {
            return granted(claim(label));
        }

        void slow() {
            route.delay().accept(atMost().multipliedBy(2));
        }

        void heal() {
            route.heal().run();
        }

        void givenUp(String what, Expect.Action question) {
            thrown(RuntimeException.class, question, what + " that is not answered in time must throw");
        }

        /** Asks for something whose answer comes after the call was given up; everything is in time again afterwards. */
        void tooLate(String what, Expect.Action question) {
            slow();
            givenUp(what, question);
            heal();
        }
    }
}
