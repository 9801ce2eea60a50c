// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;

/**
 * Cases about blocks of tokens (ranges of consecutive tokens for hand-overs), about the minimum token of a grant (the
 * floor), and about raising the token of a lock.
 */
public interface TokenBlockCases {
    /** In microseconds, of which clocks make tokens. So long does a shared store keep a counter that a case has raised. */
    long SOME_HOURS = 1L << 34;

    @Rule(
            says = "The token after a grant of a block is greater than the last of the block.",
            because = "The block's later tokens go to the next holders inside one JVM, without asking the store.",
            needs = Feature.FENCED)
    default void i1_tokensRiseAboveAWholeBlock(Scene scene) {
        long aheadOfClocks = aheadOfClocks(scene);
        for (int tokens : new int[] {1, 2, 17, 1000}) {
            RecordingClaim block = granted(scene.claim(scene.backend("A"), request(scene, aheadOfClocks, tokens)));
            that(block.release(), "the holder must have held");
            RecordingClaim next = granted(scene.lasting("B"));
            long last = block.fencingToken() + tokens - 1;
            above(next, last, "the end of the block,");
            that(next.release(), "the holder must have held");
        }
    }

    @Rule(
            says = "A token is greater than the floor that its claim gave, and stays so for later claims without one.",
            because = "A fleet that moves between stores hands over the last token of the old one.",
            needs = Feature.FENCED)
    default void i4_tokensRiseAboveTheFloor(Scene scene) {
        long far = aheadOfClocks(scene);
        long highest = scene.sharesStore() ? far : ClaimRequest.HIGHEST_TOKEN_FLOOR;
        for (long floor : new long[] {1, far, highest}) {
            RecordingClaim claim = granted(scene.claim(scene.backend("A"), request(scene, floor, 1)));
            above(claim, floor, "the floor");
            that(claim.release(), "the holder must have held");
            RecordingClaim next = granted(scene.lasting("B"));
            above(next, claim.fencingToken(), "the token before,");
            that(next.release(), "the holder must have held");
        }
    }

    @Rule(
            says = "After the holder has raised the token counter, all later tokens are greater; it is never lowered.",
            because = "A quorum gives out the greatest of its members' tokens, and they must not fall behind it.",
            needs = Feature.FENCED)
    default void i4_raisingLiftsLaterTokensAndNeverLowers(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        long high = holder.fencingToken() + SOME_HOURS;
        that(holder.raiseToken(high, scene.callLimit()), "the holder must be able to raise the counter");
        that(holder.raiseToken(high, scene.callLimit()), "raising to the same token must succeed");
        that(holder.raiseToken(high - 5, scene.callLimit()), "raising to less is true already");
        that(holder.fencingToken() < high, "raising must not change the token of the grant");
        that(holder.release(), "the holder must have held");
        RecordingClaim next = granted(scene.lasting("B"));
        above(next, high, "what it was raised to,");
        long beyond = (scene.sharesStore() ? high : ClaimRequest.HIGHEST_TOKEN_FLOOR) + 1000;
        that(next.raiseToken(beyond, scene.callLimit()), "what can be given above a floor can be raised to");
        that(next.release(), "the holder must have held");
        RecordingClaim last = granted(scene.lasting("B"));
        above(last, beyond, "what it was raised to,");
    }

    @Rule(
            says = "Only the holder can raise the token counter.",
            because = "A late write-back of a failed round must not count as one of the next holder's votes.",
            needs = Feature.FENCED)
    default void i4_onlyTheHolderRaises(Scene scene) throws InterruptedException {
        RecordingClaim stale = granted(scene.claim("A"));
        long high = stale.fencingToken() + SOME_HOURS;
        RecordingClaim next = grantedAfterLease(scene, scene.lasting("B"));
        RecordingClaim refused = scene.claim("C");
        refused(refused);
        that(!stale.raiseToken(high, scene.callLimit()), "a stale claim must not raise the counter");
        that(!refused.raiseToken(high, scene.callLimit()), "a refused claim must not raise the counter");
        refused.release();
        that(next.release(), "the holder must have held");
        that(!next.raiseToken(high, scene.callLimit()), "a released claim must not raise the counter");
        long token = granted(scene.lasting("D")).fencingToken();
        that(token < high, "the token " + token + " was lifted by a claim that did not hold the lock");
    }

    /**
     * A token that a clock gives in some hours. A clock that makes tokens would be past a small block by the next try, and hide that the
     * block was forgotten.
     */
    static long aheadOfClocks(Scene scene) {
        RecordingClaim clock = granted(scene.lasting("A", scene.lock("clock")));
        that(clock.release(), "the holder must have held");
        // Where locks share counters another case may have raised this one.
        return Math.min(clock.fencingToken() + SOME_HOURS, ClaimRequest.HIGHEST_TOKEN_FLOOR / 2);
    }

    private static void above(RecordingClaim claim, long bound, String what) {
        that(claim.fencingToken() > bound, "the token " + claim.fencingToken() + " is not above " + what + " " + bound);
    }

    private static ClaimRequest request(Scene scene, long floor, int tokens) {
        ClaimRequest usual = scene.lastingRequest(scene.lock(), "A");
        return new ClaimRequest(usual.lock(), usual.owner(), usual.label(), usual.lease(), false, floor, tokens);
    }
}
