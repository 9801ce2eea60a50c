// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the members answered to one question. No answer is neither yes nor no. Thread-safe.
 */
public final class Votes {
    private final ReentrantLock monitor = new ReentrantLock();
    private final Condition changed = monitor.newCondition();
    private final @Nullable Answer[] votes;
    private final String[] reasons;
    private BooleanSupplier awaited = () -> false;

    /** Nobody has answered yet. */
    public Votes(int members) {
        votes = new @Nullable Answer[members];
        reasons = new String[members];
        Arrays.fill(reasons, "did not answer in time");
    }

    /** The fewest members of which any two groups have one in common. */
    public static int majority(int members) {
        return members / 2 + 1;
    }

    /** Counts an answer when it comes. */
    public void count(int member, CompletionStage<Boolean> answer) {
        answer.whenComplete((yes, failure) -> {
            if (failure == null) {
                cast(member, yes ? Answer.YES : Answer.NO, "");
            } else {
                cast(member, Answer.UNKNOWN, RedlockFailures.reason(failure));
            }
        });
    }

    /** Counts an answer. */
    public void cast(int member, Answer vote, String reason) {
        locked(() -> {
            votes[member] = vote;
            reasons[member] = reason;
            if (awaited.getAsBoolean()) {
                changed.signalAll();
            }
            return true;
        });
    }

    /** Forgets an answer: the member is asked again. */
    public void open(int member) {
        locked(() -> {
            votes[member] = null;
            return true;
        });
    }

    /** The answer of a member; null if there is none yet. */
    @Nullable
    public Answer of(int member) {
        monitor.lock();
        try {
            return votes[member];
        } finally {
            monitor.unlock();
        }
    }

    /** A majority said yes. */
    public boolean hasMajority() {
        return number(Answer.YES) >= majority(votes.length);
    }

    /** A majority said no, so no majority says yes. */
    public boolean isRefused() {
        return number(Answer.NO) >= majority(votes.length);
    }

    /** A majority said yes or no, whatever it is. */
    public boolean isAnswered() {
        return number(Answer.YES) + number(Answer.NO) >= majority(votes.length);
    }

    /** Every member has answered or failed to. */
    public boolean isComplete() {
        return locked(() -> !Arrays.asList(votes).contains(null));
    }

    /** What is known: a majority's yes or no, else nothing. */
    public Answer outcome() {
        return hasMajority() ? Answer.YES : isRefused() ? Answer.NO : Answer.UNKNOWN;
    }

    public boolean isDecided() {
        return hasMajority() || isRefused() || isComplete();
    }

    public int number(Answer wanted) {
        monitor.lock();
        try {
            int number = 0;
            for (Answer vote : votes) {
                number += vote == wanted ? 1 : 0;
            }
            return number;
        } finally {
            monitor.unlock();
        }
    }

    /** Why there is no answer, for each member that has given none. */
    public List<String> silences(List<Member> members) {
        List<String> silent = new ArrayList<>();
        locked(() -> {
            for (int i = 0; i < votes.length; i++) {
                if (votes[i] == null || votes[i] == Answer.UNKNOWN) {
                    silent.add(members.get(i).name() + " " + reasons[i]);
                }
            }
            return true;
        });
        return silent;
    }

    /**
     * Waits until something is so, which only answers make so, or the time is over. For one thread at a time, which is not
     * woken for each answer.
     */
    public void await(BooleanSupplier decided, long end) throws InterruptedException {
        monitor.lockInterruptibly();
        try {
            awaited = decided;
            long left = end - System.nanoTime();
            while (!decided.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            awaited = () -> false;
            monitor.unlock();
        }
    }

    /** The same; an interrupt is left for later. */
    public void awaitCalmly(BooleanSupplier decided, long end) {
        boolean interrupted = false;
        while (true) {
            try {
                await(decided, end);
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean locked(BooleanSupplier work) {
        monitor.lock();
        try {
            return work.getAsBoolean();
        } finally {
            monitor.unlock();
        }
    }
}
