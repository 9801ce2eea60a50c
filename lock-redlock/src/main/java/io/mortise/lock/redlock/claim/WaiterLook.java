// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.PollDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Looks, for a claim that waits, whether another round is worth its cost: a round writes at every member and takes it back. A look is
 * one read at one of the members where others held the lock. When that member is free, and every two seconds, it is one read at each
 * member. Used by one thread at a time.
 */
final class WaiterLook {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    /** On average five sixths of it pass: with what all members are asked, some fifteen reads a second. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(110);

    private static final long ALL_MEMBERS_NANOS = Duration.ofSeconds(2).toNanos();

    private final Quorum quorum;
    private final String lock;
    private final PollDelay pauses = new PollDelay(FIRST_PAUSE, LONGEST_PAUSE);
    private List<Integer> holding = List.of();
    private long allAskedAt;
    private Optional<Duration> retryAfter = Optional.empty();

    WaiterLook(Quorum quorum, String lock) {
        this.quorum = quorum;
        this.lock = lock;
    }

    /** Begins again after a round that others were in the way of. */
    void refused(Votes votes) {
        List<Integer> members = new ArrayList<>();
        for (int i = 0; i < quorum.size(); i++) {
            if (votes.of(i) == Answer.NO) {
                members.add(i);
            }
        }
        holding = members;
        allAskedAt = System.nanoTime();
        pauses.reset();
    }

    /** How long to wait before the next look. */
    Duration pause() {
        return Duration.ofNanos(pauses.nextNanos());
    }

    /** How long until enough members are free for a majority, as far as the last look told. */
    Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /**
     * Whether a majority of the members that answer still have the lock for others, so that a round would be refused.
     *
     * @param time how long one member may take
     */
    boolean isHeld(CallDeadline deadline, Duration time) throws InterruptedException {
        boolean askAll = holding.isEmpty() || System.nanoTime() - allAskedAt > ALL_MEMBERS_NANOS;
        return (!askAll && isHeldAtOne(deadline, time)) || isHeldAtMost(deadline, time);
    }

    private boolean isHeldAtOne(CallDeadline deadline, Duration time) throws InterruptedException {
        int index = holding.get(ThreadLocalRandom.current().nextInt(holding.size()));
        CompletableFuture<Optional<Duration>> look = quorum.members().get(index).look(lock, time);
        if (!deadline.within(time).awaitEnd(look) || look.isCompletedExceptionally()) {
            return false;
        }
        retryAfter = look.join();
        return retryAfter.isPresent();
    }

    private boolean isHeldAtMost(CallDeadline deadline, Duration time) throws InterruptedException {
        allAskedAt = System.nanoTime();
        Votes free = quorum.newVotes();
        List<CompletableFuture<Optional<Duration>>> looks = new ArrayList<>();
        for (int i = 0; i < quorum.size(); i++) {
            CompletableFuture<Optional<Duration>> look = quorum.members().get(i).look(lock, time);
            looks.add(look);
            free.count(i, look.thenApply(Optional::isEmpty));
        }
        free.await(free::isDecided, deadline.within(time));
        List<Integer> members = new ArrayList<>();
        List<Duration> left = new ArrayList<>();
        for (int i = 0; i < quorum.size(); i++) {
            if (free.of(i) == Answer.NO) {
                members.add(i);
                looks.get(i).join().ifPresent(left::add);
            }
        }
        left.sort(null);
        int needed = quorum.majority() - free.number(Answer.YES);
        retryAfter = needed > 0 && needed <= left.size() ? Optional.of(left.get(needed - 1)) : Optional.empty();
        holding = members;
        if (free.outcome() == Answer.UNKNOWN) {
            // Some are free, as when a release or another round is under way.
            pauses.reset();
        }
        return free.isAnswered() && !free.hasMajority();
    }
}
