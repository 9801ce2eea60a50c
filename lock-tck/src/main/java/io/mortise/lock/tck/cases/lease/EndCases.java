// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.risen;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.List;

/** Cases about what a claim can still do when it has lost its lock, also if nobody else has taken it. */
public interface EndCases {
    @Rule(
            says = "A release of a lease that has ended answers false, also when nobody else has taken the lock.",
            because =
                    "Its holder is told that it held the lock all the time, and does not check what it did after the end.")
    default void e4_aReleaseAfterTheEndSaysNo(Scene scene) throws InterruptedException {
        RecordingClaim claim = ended(scene);
        that(!claim.release(), "a claim whose lease has ended does not hold the lock");
        that(!claim.release(), "a claim whose lease has ended does not hold the lock, however often it is asked");
        free(scene);
    }

    @Rule(
            says =
                    "A revoked holder that releases during the rest of its lease has held the lock until then, and frees it at"
                            + " once.",
            because =
                    "A holder that stops when it is told to makes room in time; nobody should wait for it any longer.",
            needs = Feature.REVOCABLE)
    default void e4_aRevokedHolderReleases(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        that(scene.backend("C").revoke(scene.lock(), "make room", false, scene.callLimit()), "somebody held the lock");
        that(!victim.renew(), "a revoked holder must not be able to renew");
        that(victim.release(), "a revoked holder must have held the lock until its release");
        RecordingClaim next = granted(scene.lasting("B"));
        that(next.renew(), "the revocation was of the holder before");
    }

    @Rule(
            says =
                    "A lease that has ended is not renewed in a batch either, and its claim does not say then that it holds until its"
                            + " end.",
            because =
                    "Renewals of many locks in one call are those that a client makes; a holder that slept past its end must"
                            + " learn it from them.")
    default void f7_anEndedLeaseCannotBeRenewedTogether(Scene scene) throws InterruptedException {
        RecordingClaim claim = ended(scene);
        RecordingClaim holder = granted(scene.lasting("A", scene.lock("held")));
        List<Answer> answers = scene.backend("A")
                .renewAll(
                        List.of(new Renewal(claim, scene.lease()), new Renewal(holder, scene.lease())), scene.limit());
        safe(answers.get(0) == Answer.NO, "a lease that has ended must not be renewed; the answers are " + answers);
        that(answers.get(1) == Answer.YES, "the lease beside it must be renewed; the answers are " + answers);
        safe(!claim.holdsUntilLeaseEnds(), "a claim whose lease has ended must not say that it holds the lock");
        safe(!claim.renew(), "a lease that has ended must not be renewed");
        safe(!claim.holdsUntilLeaseEnds(), "a claim whose lease has ended must not say that it holds the lock");
        free(scene);
    }

    @Rule(
            says =
                    "A claim whose lease has ended gets the lock anew if it asks again: with a greater token, and for a full lease.",
            because =
                    "Others may have held the lock since; with the old token the work of both is taken for that of one.")
    default void f7_anEndedClaimThatAsksAgainIsANewHolder(Scene scene) throws InterruptedException {
        RecordingClaim claim = granted(scene.claim("A", scene.lock(), brief(scene)));
        long before = claim.fencingToken();
        awaitEnd(scene);
        granted(claim);
        that(
                claim.fencingToken() > before || claim.fencingToken() == 0,
                "the token must rise above " + before + ", not to " + claim.fencingToken());
        that(claim.renew(scene.honoured(scene.limit())), "the holder must be able to renew");
        RecordingClaim next = scene.lasting("B");
        refused(next);
        that(claim.release(), "the holder must have held");
        granted(next);
        risen(claim, next);
    }

    @Rule(
            says =
                    "After its release a claim is not renewed, alone or together with others, also when the lock is free.",
            because = "A renewal that was under way brings back a lock that nobody holds.")
    default void g5_aReleasedClaimIsNotRenewed(Scene scene) {
        RecordingClaim claim = granted(scene.lasting("A"));
        that(claim.release(), "the holder must have held");
        safe(!claim.renew(), "a released claim must not be renewed");
        List<Answer> answers = scene.backend("A").renewAll(List.of(new Renewal(claim, scene.lease())), scene.limit());
        safe(answers.equals(List.of(Answer.NO)), "a released claim must not be renewed; the answers are " + answers);
        free(scene);
    }

    @Rule(
            says =
                    "A claim whose lease has ended, or whose lock was freed at once, does not raise the counter, also when nobody has"
                            + " the lock.",
            because = "The guard refuses the next holder's writes, or those of all others, for something that is over.",
            needs = Feature.FENCED)
    default void i4_aClaimThatHasLostDoesNotRaise(Scene scene) throws InterruptedException {
        RecordingClaim claim = ended(scene);
        long high = claim.fencingToken() + (1L << 40);
        that(!claim.raiseToken(high, scene.callLimit()), "a claim whose lease has ended must not raise the counter");
        RecordingClaim victim = granted(scene.lasting("A"));
        below(high, victim);
        LockBackend operator = scene.backend("C");
        if (operator.features().contains(Feature.REVOCABLE)) {
            that(operator.revoke(scene.lock(), "dead", true, scene.callLimit()), "somebody held the lock");
            that(
                    !victim.raiseToken(high, scene.callLimit()),
                    "a claim whose lock was freed must not raise the counter");
            below(high, granted(scene.lasting("B")));
        }
    }

    @Rule(
            says =
                    "Revoking a lock whose lease has ended, that was released, or that was freed at once before, changes nothing and"
                            + " answers false.",
            because = "An operator is told that somebody was stopped, and whoever comes next is.",
            needs = Feature.REVOCABLE)
    default void r4_revokingAnEndedLeaseDoesNothing(Scene scene) throws InterruptedException {
        ended(scene);
        revokesNothing(scene, "whose lease has ended");
        RecordingClaim next = granted(scene.lasting("B"));
        that(next.renew(), "a revocation of an ended lease must not hit the next holder");
        that(next.release(), "the holder must have held");
        revokesNothing(scene, "that was released");
        RecordingClaim victim = granted(scene.lasting("B"));
        that(scene.backend("C").revoke(scene.lock(), "dead", true, scene.callLimit()), "somebody held the lock");
        revokesNothing(scene, "that was freed at once");
        that(!victim.renew(), "a revoked holder must not be able to renew");
        RecordingClaim last = granted(scene.lasting("A"));
        that(last.renew(), "a revocation of a free lock must not hit the next holder");
    }

    private static void revokesNothing(Scene scene, String what) {
        for (boolean now : new boolean[] {false, true}) {
            that(
                    !scene.backend("C").revoke(scene.lock(), "too late", now, scene.callLimit()),
                    "nobody held the lock " + what + ", but a revocation" + (now ? " at once" : "")
                            + " says that somebody did");
        }
    }

    private static void below(long high, RecordingClaim next) {
        that(
                next.fencingToken() < high,
                "the token " + next.fencingToken() + " was lifted by a claim that did not hold the lock");
    }

    /** A short lease: it is only waited for. */
    private static Duration brief(Scene scene) {
        Duration shortest = scene.backend("A").leaseBounds().shortest();
        Duration part = scene.leases(0.25);
        return part.compareTo(shortest) < 0 ? shortest : part;
    }

    /** A claim on the scene's lock whose lease has ended, and that nobody has asked for since. */
    private static RecordingClaim ended(Scene scene) throws InterruptedException {
        RecordingClaim claim = granted(scene.claim("A", scene.lock(), brief(scene)));
        awaitEnd(scene);
        return claim;
    }

    /** A lease that began later has ended. */
    private static void awaitEnd(Scene scene) throws InterruptedException {
        String later = scene.lock("granted later");
        granted(scene.claim("A", later, brief(scene)));
        RecordingClaim witness = scene.claim("B", later);
        scene.await("a lease that began later has ended", witness::tryAcquire);
    }
}
