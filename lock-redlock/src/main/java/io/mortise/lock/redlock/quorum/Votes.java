// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Collects the members' answers to one question: yes, no, or unknown for a member that failed. Thread-safe. */
public final class Votes {
    private final List<Member> members;
    private final @Nullable Answer[] votes;
    private final String[] reasons;
    private final boolean[] refusals;
    private BooleanSupplier condition = () -> false;
    private CompletableFuture<?> conditionMet = new CompletableFuture<>();

    public Votes(List<Member> members) {
        this.members = members;
        votes = new @Nullable Answer[members.size()];
        reasons = new String[members.size()];
        refusals = new boolean[members.size()];
        Arrays.fill(reasons, "did not answer in time");
    }

    /** The fewest members of which any two groups have one in common. */
    public static int majority(int members) {
        return members / 2 + 1;
    }

    public void count(int member, CompletionStage<Boolean> answer) {
        answer.whenComplete((yes, failure) -> {
            if (failure == null) {
                cast(member, yes ? Answer.YES : Answer.NO);
            } else {
                castUnknown(member, failure);
            }
        });
    }

    public void cast(int member, Answer vote) {
        cast(member, vote, "did not answer", false);
    }

    public void castUnknown(int member, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        boolean refused = Member.isRefusal(cause);
        String text = message == null ? cause.getClass().getSimpleName() : message;
        cast(member, Answer.UNKNOWN, (refused ? "refused: " : "failed: ") + text, refused);
    }

    public void castUnknown(int member, String reason) {
        cast(member, Answer.UNKNOWN, reason, false);
    }

    private synchronized void cast(int member, Answer vote, String reason, boolean refused) {
        votes[member] = vote;
        reasons[member] = reason;
        refusals[member] = refused;
        if (condition.getAsBoolean()) {
            conditionMet.complete(null);
        }
    }

    /** Takes a vote back: the member is asked again. */
    public synchronized void withdraw(int member) {
        votes[member] = null;
    }

    /** Null if the member has not voted yet. */
    public synchronized @Nullable Answer of(int member) {
        return votes[member];
    }

    public synchronized int number(Answer wanted) {
        int number = 0;
        for (Answer vote : votes) {
            number += vote == wanted ? 1 : 0;
        }
        return number;
    }

    public boolean hasMajority() {
        return number(Answer.YES) >= majority(votes.length);
    }

    /** Whether a majority said no, so that no majority can say yes. */
    public boolean isRefused() {
        return number(Answer.NO) >= majority(votes.length);
    }

    /** Whether a majority said yes or no, in whatever mixture. */
    public boolean isAnswered() {
        return number(Answer.YES) + number(Answer.NO) >= majority(votes.length);
    }

    public synchronized boolean isComplete() {
        return !Arrays.asList(votes).contains(null);
    }

    /** The quorum's answer: yes or no if a majority says so, else unknown. */
    public Answer outcome() {
        return hasMajority() ? Answer.YES : isRefused() ? Answer.NO : Answer.UNKNOWN;
    }

    /** Whether later votes cannot change the outcome. */
    public boolean isDecided() {
        return hasMajority() || isRefused() || isComplete();
    }

    /**
     * Waits until a condition holds or the time is over. For one thread at a time; it is woken once, not for every vote.
     *
     * @param condition becomes true by votes alone
     */
    public void await(BooleanSupplier condition, CallDeadline deadline) throws InterruptedException {
        CompletableFuture<?> met = new CompletableFuture<>();
        synchronized (this) {
            if (condition.getAsBoolean()) {
                return;
            }
            this.condition = condition;
            conditionMet = met;
        }
        try {
            deadline.awaitEnd(met);
        } finally {
            synchronized (this) {
                this.condition = () -> false;
            }
        }
    }

    /** As {@link #await}, until {@code end} in the time of {@link System#nanoTime()}, but ignores interrupts. */
    public void awaitUninterruptibly(BooleanSupplier condition, long end) {
        CallDeadline.uninterruptibly(Quorum.NAME, Duration.ofNanos(end - System.nanoTime()), deadline -> {
            await(condition, deadline);
            return true;
        });
    }

    /** Whether a majority refused for good to vote: asking again is of no use. */
    public synchronized boolean isRefusedForGood() {
        int number = 0;
        for (int i = 0; i < votes.length; i++) {
            number += votes[i] == Answer.UNKNOWN && refusals[i] ? 1 : 0;
        }
        return number >= majority(votes.length);
    }

    /**
     * The exception that says that too few members have answered, and why each of the others has not: a refusal if a majority
     * refused for good.
     *
     * @param question what the members were asked
     * @param end completes when the call can no longer change a member; null if it has ended already
     * @param moreReasons what else kept a majority from being counted
     */
    public BackendException undecided(String question, @Nullable CompletionStage<?> end, List<String> moreReasons) {
        List<String> why = new ArrayList<>();
        synchronized (this) {
            for (int i = 0; i < votes.length; i++) {
                if (votes[i] == null || votes[i] == Answer.UNKNOWN) {
                    why.add(members.get(i).name() + " " + reasons[i]);
                }
            }
        }
        why.addAll(moreReasons);
        String message = question + " needs " + majority(votes.length) + " of " + votes.length
                + " members and did not get them: " + String.join("; ", why);
        return isRefusedForGood() ? BackendException.refused(message, null) : new BackendException(message, null, end);
    }

    /** As {@link #undecided(String, CompletionStage, List)}, for a call that has ended and no more reasons. */
    public BackendException undecided(String question) {
        return undecided(question, null, List.of());
    }
}
