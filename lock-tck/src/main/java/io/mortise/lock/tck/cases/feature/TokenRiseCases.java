// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Cases about what tokens rise above: whatever was given or raised before, and however the hold before ended. */
public interface TokenRiseCases {
    /** How many counters the locks of a store are taken to share at most, if they share any. */
    int SHARED_COUNTERS = 64;

    @Rule(
            says =
                    "A token is greater than all of the block before it, and than what its holder raised the counter to, however that"
                            + " hold has ended.",
            because = "The holder that was cut off is the one whose late writes must be refused.",
            needs = Feature.FENCED)
    default void i1_tokensRiseHoweverAHoldEnds(Scene scene) throws InterruptedException {
        long ahead = TokenBlockCases.aheadOfClocks(scene);
        boolean revocable = scene.backend("D").features().contains(Feature.REVOCABLE);
        boolean exact = scene.backend("D").leaseBounds().outlivesHolder();
        List<String> ends = revocable
                ? List.of("ended", "revoked and ended", "revoked at once", "revoked and released", "released")
                : List.of("ended", "released");
        record Hold(RecordingClaim claim, long last) {}
        List<Hold> holds = new ArrayList<>();
        for (String end : ends) {
            for (int i = 0; i < 4; i++) {
                int tokens = i % 2 == 0 ? 1 : 1000;
                String lock = scene.lock(end + " " + i);
                boolean brief = end.endsWith("ended");
                ClaimRequest usual = brief && !exact ? scene.request(lock, "A") : scene.lastingRequest(lock, "A");
                RecordingClaim claim = granted(scene.claim(
                        scene.backend("A"),
                        new ClaimRequest(lock, usual.owner(), "A", usual.lease(), false, ahead + i, tokens)));
                long last = claim.fencingToken() + tokens - 1;
                if (i >= 2) {
                    last += 5_000;
                    that(claim.raiseToken(last, scene.callLimit()), "the holder must be able to raise the counter");
                }
                if (brief && exact) {
                    that(claim.renew(scene.lease()), "the holder must be able to renew");
                }
                if (end.startsWith("revoked")) {
                    boolean now = end.endsWith("at once");
                    that(scene.backend("D").revoke(lock, end, now, scene.callLimit()), "somebody held the lock");
                }
                if (end.endsWith("released")) {
                    that(claim.release(), "the holder must have held");
                }
                holds.add(new Hold(claim, last));
            }
        }
        for (Hold hold : holds) {
            String lock = hold.claim().request().lock();
            RecordingClaim next = grantedAfterLease(scene, scene.lasting("B", lock));
            above(next, hold.last(), "what was given or raised before, in a hold that was " + lock);
            that(next.release(), "the holder must have held");
            above(granted(scene.lasting("C", lock)), next.fencingToken(), "the token before");
        }
    }

    @Rule(
            says = "Each lock has tokens that rise, whatever is given for others in between.",
            because = "A store that remembers the last token of some locks only starts again with the others.",
            needs = Feature.FENCED)
    default void i1_tokensOfManyLocksRise(Scene scene) {
        long ahead = TokenBlockCases.aheadOfClocks(scene);
        long[] last = new long[scene.times(60, 8)];
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < last.length; i++) {
                // Each lock is at another height, and the first one is the highest.
                long floor = round == 0 ? ahead + (last.length - i) * 1_000L : 0;
                RecordingClaim claim = granted(scene.claim(
                        scene.backend("C" + (round + i) % 3), request(scene, scene.lock("lock-" + i), floor, 1 + i)));
                above(claim, last[i], "the block before");
                last[i] = claim.fencingToken() + i;
                that(claim.release(), "the holder must have held");
            }
        }
    }

    @Rule(
            says =
                    "A repeated try reports the first token of its grant, whatever was raised or refused meanwhile, and the next"
                            + " token is above the whole block all the same.",
            because =
                    "A holder whose token changes while it works is fenced off by itself, or shares a token with the next one.",
            needs = Feature.FENCED)
    default void i2_aRepeatedTryKeepsItsToken(Scene scene) {
        long ahead = TokenBlockCases.aheadOfClocks(scene);
        RecordingClaim holder = granted(scene.claim(scene.backend("A"), request(scene, scene.lock(), ahead, 100)));
        long token = holder.fencingToken();
        above(holder, ahead, "the floor");
        for (int i = 0; i < 2; i++) {
            RecordingClaim other =
                    scene.claim(scene.backend("B"), request(scene, scene.lock(), ahead + 1_000_000, 1000));
            refused(other);
            refused(other);
            other.release();
            same(holder, token, "after refused tries of others");
            granted(holder);
            same(holder, token, "after a repeated try");
            that(holder.renew(), "the holder must be able to renew");
            same(holder, token, "after a renewal");
            that(holder.raiseToken(token + 500, scene.callLimit()), "the holder must be able to raise the counter");
            same(holder, token, "after the counter was raised");
        }
        granted(holder);
        same(holder, token, "after a repeated try behind a raised counter");
        that(holder.release(), "the holder must have held");
        same(holder, token, "after the release");
        above(granted(scene.lasting("B")), token + 500, "what the counter was raised to");
    }

    @Rule(
            says = "The next token is above the whole block also if its grant was asked for more than once.",
            because =
                    "Of a try whose reply was lost the holder knows the repetition only, and hands out all of its block.",
            needs = Feature.FENCED)
    default void i1_aRepeatedTryKeepsTheWholeBlock(Scene scene) {
        long ahead = TokenBlockCases.aheadOfClocks(scene);
        RecordingClaim holder = granted(scene.claim(scene.backend("A"), request(scene, scene.lock(), ahead, 1000)));
        granted(holder);
        that(holder.release(), "the holder must have held");
        RecordingClaim next = granted(scene.lasting("B"));
        above(next, holder.fencingToken() + 999, "the block before");
    }

    @Rule(
            says =
                    "A claim that waited has a token above those of all holders before it, also of one that came later and was sooner.",
            because =
                    "A token that is given out when a claim begins to wait is lower than those of others that were granted meanwhile.",
            needs = Feature.FENCED)
    default void i1_aWaiterThatWasOvertakenHasAHigherToken(Scene scene) throws InterruptedException {
        RecordingClaim first = granted(scene.lasting("A"));
        RecordingClaim waiter = scene.claim(scene.backend("B"), scene.waitingRequest("B"));
        refused(waiter);
        that(first.release(), "the holder must have held");
        long last = first.fencingToken();
        RecordingClaim other = scene.lasting("C");
        // A store that serves claims in order keeps the lock for the waiter.
        if (other.tryAcquire()) {
            last = other.fencingToken();
            that(other.release(), "the holder must have held");
        }
        scene.await("the waiter is granted the lock", waiter::tryAcquire);
        above(waiter, last, "that of the holder before");
        that(waiter.release(), "the holder must have held");
    }

    @Rule(
            says = "A claim that is granted its lock again, after others had it, has a token greater than theirs.",
            because = "With its first token it would be refused everywhere, or pass for the holder that it was.",
            needs = Feature.FENCED)
    default void i1_aSecondGrantOfAClaimHasATokenOfItsOwn(Scene scene) throws InterruptedException {
        RecordingClaim claim = granted(scene.claim("A"));
        RecordingClaim between = grantedAfterLease(scene, scene.lasting("B"));
        refused(claim);
        that(between.release(), "the holder must have held");
        scene.await("the claim is granted the lock again", claim::tryAcquire);
        above(claim, between.fencingToken(), "that of the holder between");
        that(claim.release(), "the holder must have held");
        above(granted(scene.lasting("B")), claim.fencingToken(), "the token before");
    }

    @Rule(
            says =
                    "A claim whose lock was freed at once raises nothing; one that was revoked raises, or says that it does not.",
            because = "A late write-back must not lift the tokens of others, and a yes must be true.",
            needs = Feature.FENCED)
    default void i4_raisingAfterARevocation(Scene scene) {
        if (!scene.backend("A").features().contains(Feature.REVOCABLE)) {
            throw new TestAbortedException(
                    "skipped: the backend does not declare REVOCABLE; to enable the case, declare it");
        }
        RecordingClaim revoked = granted(scene.lasting("A", scene.lock("revoked")));
        that(scene.backend("C").revoke(scene.lock("revoked"), "stop", false, scene.callLimit()), "somebody held it");
        long high = revoked.fencingToken() + TokenBlockCases.SOME_HOURS;
        boolean raised = revoked.raiseToken(high, scene.callLimit());
        revoked.release();
        RecordingClaim next = granted(scene.lasting("B", scene.lock("revoked")));
        above(next, raised ? high : revoked.fencingToken(), "what was raised with the answer " + raised);

        RecordingClaim freed = granted(scene.lasting("A"));
        that(scene.backend("C").revoke(scene.lock(), "stop", true, scene.callLimit()), "somebody held it");
        high = freed.fencingToken() + TokenBlockCases.SOME_HOURS;
        that(!freed.raiseToken(high, scene.callLimit()), "a claim whose lock was freed does not hold it");
        RecordingClaim other = granted(scene.lasting("B"));
        that(other.fencingToken() < high, "a claim whose lock was freed has lifted the next token");
        that(!freed.raiseToken(high, scene.callLimit()), "a claim whose lock was freed does not hold it");
        that(other.release(), "the holder must have held");
        long last = granted(scene.lasting("C")).fencingToken();
        that(
                last < high && last > other.fencingToken(),
                "the token " + last + " was lifted by a claim that was revoked");
    }

    @Rule(
            says =
                    "A raised token is below that of whoever waits already, before the raise and through the next holders, too.",
            because =
                    "A store that hands the lock on in its queue may count on from the holder, and not from what was raised.",
            needs = Feature.FENCED)
    default void i4_raisingLiftsTheTokensOfThoseWhoWait(Scene scene) throws InterruptedException {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim first = scene.claim(scene.backend("B"), scene.waitingRequest("B"));
        RecordingClaim second = scene.claim(scene.backend("C"), scene.waitingRequest("C"));
        refused(first);
        refused(second);
        long raised = holder.fencingToken() + TokenBlockCases.SOME_HOURS;
        that(holder.raiseToken(raised, scene.callLimit()), "the holder must be able to raise");
        that(holder.release(), "the holder must have held");
        above(grantedSoon(scene, first), raised, "what the holder before raised");
        that(first.release(), "the holder must have held");
        above(grantedSoon(scene, second), first.fencingToken(), "the token before");
    }

    /** Who waits may look at a member of a quorum that has not heard of a release yet. */
    private static RecordingClaim grantedSoon(Scene scene, RecordingClaim claim) throws InterruptedException {
        scene.await(claim + " has the lock that was released", claim::tryAcquire);
        return claim;
    }

    @Rule(
            says = "Up to the greatest floor and the greatest raised token all tokens rise and fit into a double.",
            because = "A counter that overflows or is rounded starts below all tokens that were ever given.",
            needs = Feature.FENCED)
    default void i9_theHighestTokensRiseAndFit(Scene scene) {
        scene.needsAStoreOfItsOwn();
        needsACounterOfEachLock(scene);
        RecordingClaim holder = granted(
                scene.claim(scene.backend("A"), request(scene, scene.lock(), ClaimRequest.HIGHEST_TOKEN_FLOOR, 1000)));
        above(holder, ClaimRequest.HIGHEST_TOKEN_FLOOR, "the greatest floor");
        long highest = ClaimRequest.HIGHEST_RAISED_TOKEN;
        that(holder.release(), "the holder must have held");
        RecordingClaim before = granted(scene.lasting("B"));
        above(before, holder.fencingToken() + 999, "the block before");
        that(before.raiseToken(highest, scene.callLimit()), "the holder must be able to raise to the greatest token");
        that(before.release(), "the holder must have held");
        long last = highest;
        for (int i = 0; i < 4; i++) {
            RecordingClaim claim = scene.claim(
                    scene.backend("C" + i % 2), request(scene, scene.lock(), i % 2 == 0 ? 0 : 1 + i, 1 + 7 * i));
            try {
                granted(claim);
            } catch (BackendException refusal) {
                if (refusal.kind() == BackendException.Kind.REFUSED) {
                    throw new TestAbortedException(
                            "skipped: beyond the greatest raised token the store refuses to grant, which is safe: "
                                    + refusal.getMessage());
                }
                throw refusal;
            }
            safe(claim.fencingToken() > 0, "a token must not overflow: " + claim.fencingToken());
            above(claim, last, "the block before");
            last = claim.fencingToken() + 7L * i;
            that(last <= FencingCases.HIGHEST, "the token " + last + " is above 2^53");
            that(claim.release(), "the holder must have held");
        }
    }

    @Rule(
            says =
                    "The greatest token that a store tells is not below any that it has given, to whichever lock and in whichever way.",
            because = "Who goes on in another store counts from there.",
            needs = Feature.FENCED)
    default void i10_theGreatestTokenIsNotBelowAny(Scene scene) throws InterruptedException {
        long before = highestToken(scene);
        long far = TokenBlockCases.aheadOfClocks(scene);
        List<RecordingClaim> claims = new ArrayList<>();
        RecordingClaim released = granted(scene.claim(scene.backend("A"), request(scene, scene.lock("a"), 0, 1000)));
        notAbove(scene, released, 999);
        that(released.release(), "the holder must have held");
        claims.add(released);
        claims.add(granted(scene.claim(scene.backend("A"), request(scene, scene.lock("b"), 0, 1))));
        claims.add(granted(scene.claim(scene.backend("B"), request(scene, scene.lock("c"), far, 17))));
        notAbove(scene, claims.get(2), 16);
        RecordingClaim raising = granted(scene.claim(scene.backend("A"), request(scene, scene.lock("d"), 0, 1)));
        that(raising.raiseToken(far + 1000, scene.callLimit()), "the holder must be able to raise");
        that(raising.release(), "the holder must have held");
        claims.add(granted(scene.claim(scene.backend("B"), request(scene, scene.lock("d"), 0, 1))));
        RecordingClaim ended = granted(scene.claim(scene.backend("C"), scene.request(scene.lock("e"), "C")));
        claims.add(ended);
        scene.pass(scene.latestEndSeen(scene.lease()));
        for (RecordingClaim claim : claims) {
            notAbove(scene, claim, claim.request().tokenCount() - 1);
        }
        that(highestToken(scene) >= before, "the greatest token must not fall");
    }

    private static void notAbove(Scene scene, RecordingClaim claim, int further) {
        long highest = highestToken(scene);
        long last = claim.fencingToken() + further;
        safe(highest >= last, "the store tells " + highest + " as its greatest token, and has given " + last);
        that(highest <= FencingCases.HIGHEST, "the token " + highest + " is above 2^53");
    }

    /** By a client that has given none itself. */
    private static long highestToken(Scene scene) {
        try {
            return scene.backend("D").highestToken(scene.callLimit());
        } catch (UnsupportedOperationException untold) {
            throw new TestAbortedException("skipped: the store cannot tell the greatest token that it has given");
        }
    }

    /** In a store whose locks share counters the case would use up the tokens of all of them, for the cases after it, too. */
    private static void needsACounterOfEachLock(Scene scene) {
        RecordingClaim raised = granted(scene.lasting("A", scene.lock("raised")));
        long high = raised.fencingToken() + TokenBlockCases.SOME_HOURS;
        that(raised.raiseToken(high, scene.callLimit()), "the holder must be able to raise");
        for (int i = 0; i < 4 * SHARED_COUNTERS; i++) {
            RecordingClaim other = granted(scene.lasting("A", scene.lock("other-" + i)));
            boolean lifted = other.fencingToken() > high;
            other.release();
            if (lifted) {
                throw new TestAbortedException(
                        "skipped: locks of the store share their counters, and this would use up the tokens of"
                                + " all of them; backends test for themselves what becomes of the greatest");
            }
        }
    }

    private static void above(RecordingClaim claim, long bound, String what) {
        long token = claim.fencingToken();
        that(token > bound, "the token " + token + " of " + claim + " is not above " + bound + ", " + what);
    }

    private static void same(RecordingClaim claim, long token, String when) {
        that(claim.fencingToken() == token, "the token was " + token + " and is " + claim.fencingToken() + " " + when);
    }

    private static ClaimRequest request(Scene scene, String lock, long floor, int tokens) {
        ClaimRequest usual = scene.lastingRequest(lock, "A");
        return new ClaimRequest(lock, usual.owner(), usual.label(), usual.lease(), false, floor, tokens);
    }
}
