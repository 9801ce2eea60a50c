// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Claims of client A that are renewed together, each with the answer that is due to it. Immutable.
 *
 * @param members in the order in which they are renewed
 */
record Batch(List<Member> members) {
    /**
     * One claim.
     *
     * @param claim the claim
     * @param state what has become of it, in words
     * @param due yes or no
     * @param reason why its lock was revoked, or the empty string if it was not
     */
    record Member(RecordingClaim claim, String state, Answer due, String reason) {
        static Member held(RecordingClaim claim) {
            return new Member(claim, "holds", Answer.YES, "");
        }

        static Member without(RecordingClaim claim, String state) {
            return new Member(claim, state, Answer.NO, "");
        }

        boolean holds() {
            return due == Answer.YES;
        }

        boolean is(String other) {
            return state.equals(other);
        }
    }

    /** Renews each to the lease that its request asks for, and checks its answer. */
    void renew(Scene scene) {
        renew(scene, member -> member.claim().request().lease());
    }

    /** Renews all, and checks the answer of each at its place. */
    void renew(Scene scene, Function<Member, Duration> lease) {
        check(ask(scene, lease, scene.limit()));
    }

    List<Answer> ask(Scene scene, Function<Member, Duration> lease, Duration atMost) {
        List<Renewal> renewals = members.stream()
                .map(member -> new Renewal(member.claim(), lease.apply(member)))
                .toList();
        return scene.backend("A").renewAll(renewals, atMost);
    }

    void check(List<Answer> answers) {
        that(
                answers.size() == members.size(),
                "a batch of " + members.size() + " claims must get as many answers, not " + answers.size());
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            String otherwise = "number " + (i + 1) + " of a batch of " + members.size() + ", a claim that "
                    + member.state() + ", was told " + answers.get(i) + " and not " + member.due();
            safe(member.holds() || answers.get(i) != Answer.YES, otherwise);
            that(answers.get(i) == member.due(), otherwise);
            if (!member.holds()) {
                checkLoss(member);
            }
        }
    }

    private static void checkLoss(Member member) {
        Loss loss = member.claim().loss();
        boolean isRevoked = !member.reason().isEmpty();
        that(
                (loss.cause() == LossCause.REVOKED) == isRevoked,
                "a claim that " + member.state() + " must not tell of this loss: " + loss);
        that(
                loss.detail().contains(member.reason()),
                "the loss must carry the reason \"" + member.reason() + "\" of its own revocation, not only " + loss);
        safe(
                !member.claim().holdsUntilLeaseEnds() || member.is(BatchCases.REVOKED),
                "a claim that " + member.state() + " must not say that it holds until its lease ends");
    }
}
