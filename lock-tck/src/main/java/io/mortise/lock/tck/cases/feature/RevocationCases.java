// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.risen;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cases about revocations: each takes one lock from one holder, for good, and tells why. */
public interface RevocationCases {
    @Rule(
            says =
                    "Nothing that a revoked holder asks undoes the revocation: neither tries nor renewals, alone or together.",
            because = "A holder that asks often enough would keep the lock for ever.",
            needs = Feature.REVOCABLE)
    default void r3_aRevocationStays(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        long token = victim.fencingToken();
        revoke(scene, scene.lock(), "for good", false);
        for (int i = 0; i < 3; i++) {
            safe(!victim.tryAcquire(), "a repeated try must not undo a revocation");
            List<Renewal> one = List.of(new Renewal(victim, victim.request().lease()));
            List<Answer> answers = scene.backend("A").renewAll(one, scene.callLimit());
            safe(!answers.equals(List.of(Answer.YES)), "a revoked holder must not be renewed in a batch");
            safe(!victim.renew(), "a revoked holder must not be able to renew");
            that(victim.loss().cause() == LossCause.REVOKED, "the loss must be REVOKED, not " + victim.loss());
            that(victim.fencingToken() == token, "a revoked holder's token is its own, not " + victim.fencingToken());
            refused(scene.claim("B"));
            Optional<String> reason = reason(scene, scene.lock(), Optional.of("for good"));
            that(reason.equals(Optional.of("for good")), "the lock was revoked \"for good\", and told is " + reason);
        }
        that(victim.release(), "the lease of a revoked holder still counts");
        risen(victim, granted(scene.lasting("B")));
    }

    @Rule(
            says = "Whoever gets a lock after a revocation was not revoked, however the revoked lease ended.",
            because = "A mark that stays with the name makes every holder after it lose the lock.",
            needs = Feature.REVOCABLE)
    default void r3_theNextHolderInheritsNothing(Scene scene) throws InterruptedException {
        List<RecordingClaim> victims = new ArrayList<>();
        for (String end : List.of("at once", "by release", "by itself")) {
            String lock = scene.lock(end);
            RecordingClaim victim =
                    granted(end.equals("by itself") ? scene.claim("A", lock) : scene.lasting("A", lock));
            victims.add(victim);
            revoke(scene, lock, "the first only", end.equals("at once"));
            if (end.equals("by release")) {
                that(victim.release(), "the lease of a revoked holder still counts");
            }
        }
        for (RecordingClaim victim : victims) {
            String lock = victim.request().lock();
            RecordingClaim next = grantedAfterLease(scene, scene.lasting("B", lock));
            for (int i = 0; i < 2; i++) {
                that(next.renew(), "a revocation of the holder before must not hit the next one: " + next.loss());
                that(next.tryAcquire(), "a revocation of the holder before must not refuse the next one");
                safe(!victim.renew(), "a revoked claim must not renew the lock of the next");
                safe(!victim.holdsUntilLeaseEnds(), "a claim must not say that it holds what another holds");
            }
            Optional<String> told = reason(scene, lock, Optional.empty());
            that(told.isEmpty(), "the next holder was not revoked, and told is " + told);
            risen(victim, next);
        }
    }

    @Rule(
            says = "A revocation takes one lock, and none whose name is like its name.",
            because = "A name with a wildcard in it must not end the work of everybody.",
            needs = Feature.REVOCABLE)
    default void r4_revokingTakesOneLock(Scene scene) {
        List<String> names =
                List.of("a*", "a%", "a_", "a?", "ab", "a", "A%", "a%b", "a/b", "[ab]*", "a%" + "x".repeat(300), "");
        List<RecordingClaim> claims = new ArrayList<>();
        for (String name : names) {
            claims.add(granted(scene.lasting("A", scene.lock(name))));
        }
        for (int i = 0; i < 4; i++) {
            revoke(scene, scene.lock(names.get(i)), "only " + names.get(i), i % 2 == 0);
        }
        for (RecordingClaim other : claims.subList(4, claims.size())) {
            String lock = other.request().lock();
            that(other.renew(), "the lock " + lock + " was not revoked, and its holder is told " + other.loss());
            that(reason(scene, lock, Optional.empty()).isEmpty(), "the lock " + lock + " was not revoked");
        }
        for (int i = 0; i < 4; i++) {
            that(!claims.get(i).renew(), "a revoked holder must not be able to renew");
            Loss loss = claims.get(i).loss();
            that(loss.detail().contains("only " + names.get(i)), "the reason must be that of this lock, not " + loss);
        }
    }

    @Rule(
            says =
                    "Any text is a reason, and comes back as it was given: to the holder, and when somebody inspects the lock.",
            because = "Whom to call and what to do stands in it; half of it, or that of an earlier one, misleads.",
            needs = Feature.REVOCABLE)
    default void r3_reasonsComeBackAsGiven(Scene scene) {
        List<String> reasons = List.of(
                "",
                " ",
                "null",
                "0",
                "a\nb\r\nc\t",
                "'; DROP TABLE x; -- \"quoted\" \\ %s {} $1",
                "\u00e4\u20ac\ud83d\udd12\u202e",
                "a:b|c,d;e=f",
                "\0",
                "x".repeat(254) + "\u00e9!",
                "y".repeat(999) + "!");
        for (int i = 0; i < reasons.size(); i++) {
            String reason = reasons.get(i);
            String lock = scene.lock("lock-" + i);
            RecordingClaim victim = granted(scene.lasting("A", lock));
            revoke(scene, lock, reason, false);
            that(!victim.renew(), "a revoked holder must not be able to renew");
            Loss loss = victim.loss();
            that(
                    loss.cause() == LossCause.REVOKED && loss.detail().contains(reason),
                    "the loss must carry the reason \"" + reason + "\", not only " + loss);
            Optional<String> told = reason(scene, lock, Optional.of(reason));
            that(told.equals(Optional.of(reason)), "the reason is \"" + reason + "\", and told is " + told);
        }
    }

    @Rule(
            says = "A lock that was revoked can be revoked again, which tells one of the reasons, and at once.",
            because = "The operator whose victim does not stop has one more thing to try.",
            needs = Feature.REVOCABLE)
    default void r3_aSecondRevocationCounts(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        revoke(scene, scene.lock(), "first", false);
        revoke(scene, scene.lock(), "second", false);
        that(!victim.renew(), "a revoked holder must not be able to renew");
        String detail = victim.loss().detail();
        that(
                detail.contains("first") || detail.contains("second"),
                "the reason must be that of the first or of the second revocation, not " + victim.loss());
        Optional<String> expected = Optional.of(detail.contains("second") ? "second" : "first");
        Optional<String> told = reason(scene, scene.lock(), expected);
        that(told.equals(expected), "others must be told what the holder is, " + expected + ", and not " + told);
        refused(scene.claim("B"));
        revoke(scene, scene.lock(), "at once", true);
        RecordingClaim next = granted(scene.lasting("B"));
        safe(!victim.renew(), "a revoked claim must not renew the lock of the next");
        that(!victim.release(), "a lock that was freed at once is not its old holder's");
        that(next.renew(), "the next holder was not revoked");
    }

    private static void revoke(Scene scene, String lock, String reason, boolean now) {
        that(scene.backend("C").revoke(lock, reason, now, scene.callLimit()), "somebody held the lock " + lock);
    }

    /** What others are told, or what is expected, if this store does not tell who holds a lock. */
    private static Optional<String> reason(Scene scene, String lock, Optional<String> expected) {
        try {
            return scene.backend("C").inspect(lock, scene.callLimit()).flatMap(LockHolder::revocationReason);
        } catch (UnsupportedOperationException untold) {
            return expected;
        }
    }
}
