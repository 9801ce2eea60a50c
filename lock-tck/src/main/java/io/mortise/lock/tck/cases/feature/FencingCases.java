// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;

/** Cases about fencing tokens: they rise whatever happens, and each belongs to one grant. */
public interface FencingCases {
    /** The largest token that stays exact in a double. */
    long HIGHEST = 1L << 53;

    @Rule(
            says = "Each grant of a name has a token greater than all before it, whichever client gets it.",
            because = "The protected side refuses late writes by comparing tokens; equal or lower ones let them in.",
            needs = Feature.FENCED)
    default void i1_tokensRiseFromGrantToGrant(Scene scene) {
        long last = 0;
        for (int i = 0; i < scene.times(50, 20); i++) {
            RecordingClaim claim = granted(scene.lasting("C" + i % 3));
            last = above(last, claim);
            that(claim.release(), "the holder must have held");
        }
    }

    @Rule(
            says = "Tokens rise when the lease before has ended by itself.",
            because = "This is the very case that tokens are for.",
            needs = Feature.FENCED)
    default void i1_tokensRiseAfterAnEndedLease(Scene scene) throws InterruptedException {
        RecordingClaim first = granted(scene.claim("A"));
        RecordingClaim next = grantedAfterLease(scene, scene.lasting("B"));
        above(first.fencingToken(), next);
    }

    @Rule(
            says = "A token stays the same when its claim renews or tries again.",
            because = "The writes of one holder would fence off each other.",
            needs = Feature.FENCED)
    default void i2_renewingAndRepeatingKeepTheToken(Scene scene) {
        RecordingClaim claim = granted(scene.lasting("A"));
        long token = claim.fencingToken();
        that(claim.renew(), "the holder must be able to renew");
        same(token, claim, "after a renewal");
        granted(claim);
        same(token, claim, "after a repeated try");
    }

    @Rule(
            says = "A claim that has lost the lock still reports its own token.",
            because = "A stale holder that reads the newest token writes with it.",
            needs = Feature.FENCED)
    default void i3_aStaleClaimKeepsItsToken(Scene scene) throws InterruptedException {
        RecordingClaim stale = granted(scene.claim("A"));
        long token = stale.fencingToken();
        grantedAfterLease(scene, scene.lasting("B"));
        stale.renew();
        same(token, stale, "after the next grant");
    }

    @Rule(
            says = "Tokens rise after the store has lost what it knew about the lock.",
            because = "A counter that starts again lets every old holder through.",
            needs = Feature.FENCED)
    default void i4_tokensRiseAfterDeletion(Scene scene) {
        that(
                scene.backend("A").fencingStrength() != FencingStrength.NONE,
                "a FENCED backend must say how far its tokens can be trusted");
        long last = granted(scene.lasting("A")).fencingToken();
        for (int i = 0; i < 3; i++) {
            scene.faults().deleteBehindBack(scene.lock());
            last = above(last, granted(scene.lasting("B")));
        }
    }

    @Rule(
            says = "A refused try has no token that anybody was or will be granted.",
            because = "A caller that ignores the answer would get past the guard.",
            needs = Feature.FENCED)
    default void i5_refusedTriesHaveNoToken(Scene scene) {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim other = scene.lasting("B");
        refused(other);
        refused(other);
        long before = other.fencingToken();
        that(before != holder.fencingToken(), "a refused claim reports the holder's token " + before);
        holder.release();
        above(Math.max(before, holder.fencingToken()), granted(other));
    }

    @Rule(
            says = "A token is at least 1 and at most 2^53.",
            because = "Zero means none, and stores and protocols that count with doubles must keep it exact.",
            needs = Feature.FENCED)
    default void i9_tokensFit(Scene scene) {
        long token = granted(scene.lasting("A")).fencingToken();
        that(token >= 1 && token <= HIGHEST, "the token " + token + " is not between 1 and 2^53");
    }

    @Rule(
            says = "A backend that is not FENCED has tokens of 0 only, and says that it cannot raise them.",
            because = "A token that does not rise is worse than none.",
            absent = Feature.FENCED)
    default void v1_withoutFencingThereAreNoTokens(Scene scene) {
        that(
                scene.backend("A").fencingStrength() == FencingStrength.NONE,
                "a backend that is not FENCED must declare the strength NONE");
        RecordingClaim claim = granted(scene.lasting("A"));
        long token = claim.fencingToken();
        that(token == 0, "a backend that is not FENCED must report the token 0, not " + token);
        thrown(
                UnsupportedOperationException.class,
                () -> claim.raiseToken(1, scene.callLimit()),
                "a backend that is not FENCED must refuse to raise tokens");
    }

    private static void same(long token, RecordingClaim claim, String when) {
        that(claim.fencingToken() == token, "the token was " + token + " and is " + claim.fencingToken() + " " + when);
    }

    private static long above(long last, RecordingClaim claim) {
        long token = claim.fencingToken();
        that(token > last, "the token " + token + " does not rise above " + last);
        return token;
    }
}
