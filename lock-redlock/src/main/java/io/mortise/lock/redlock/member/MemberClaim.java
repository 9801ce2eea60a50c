// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What one round has at one member: a claim with an owner of its own, which is tried once and released once its try has ended.
 * Thread-safe.
 */
public final class MemberClaim {
    /** Why there is no answer yet to any other question. */
    public static final String BEING_TRIED = "is being asked for the lock";

    private final Member member;
    private final Claim claim;
    private final String lock;
    private final CompletableFuture<Boolean> tried;
    private volatile boolean asked;
    private volatile @Nullable StoreRun run;
    private volatile Duration spent = Duration.ZERO;
    private volatile boolean released;

    /** Takes a seat after {@code before}, which may have left something there, was given up: else it would be in its own way. */
    @SuppressWarnings("FutureReturnValueIgnored") // the member waits for it
    public MemberClaim(Member member, Claim claim, String lock, @Nullable MemberClaim before, Duration time) {
        this.member = member;
        this.claim = claim;
        this.lock = lock;
        if (before != null) {
            before.release(time);
        }
        tried = member.askFor(lock, time, this::tryOnce);
    }

    private boolean tryOnce(Duration atMost) throws InterruptedException {
        asked = true;
        long end = System.nanoTime() + atMost.toNanos();
        boolean granted = claim.tryAcquire(atMost);
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        run = claim.storeRun(left).map(member::met).orElse(null);
        if (granted) {
            said();
        }
        return granted;
    }

    /** Takes note of what was spent of the lease when the member was asked, by the thread that got its yes. */
    public void said() {
        spent = claim.leaseSpent();
    }

    /** How much of the lease is spent, at least, at all but those without which there still is a majority. */
    public static Duration spent(List<MemberClaim> yes, int majority) {
        return yes.stream()
                .map(seat -> seat.spent)
                .sorted()
                .skip(Math.min(majority, yes.size()) - 1L)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    public Member member() {
        return member;
    }

    public Claim claim() {
        return claim;
    }

    /** Whether the try was granted; fails if that is not known. */
    public CompletableFuture<Boolean> tried() {
        return tried;
    }

    /** Whether the try has ended: only then the claim can be asked anything else. */
    public boolean isTried() {
        return tried.isDone();
    }

    /** The run of the member's process that answered the try; null if it does not tell. */
    @Nullable
    public StoreRun run() {
        return run;
    }

    /** Makes the member's later tokens greater, if this seat holds. */
    public CompletableFuture<Boolean> raise(long token, Duration time) {
        return member.askFor(lock, time, atMost -> claim.raiseToken(token, atMost));
    }

    /** Gives the seat up when its try has ended; once more when a try that was given up has ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what is released once more
    public CompletableFuture<Boolean> release(Duration time) {
        return member.leave(lock, tried.handle((granted, failure) -> failure).thenCompose(failure -> {
            if (!asked) {
                released = true;
                return CompletableFuture.completedFuture(false);
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof BackendException unanswered) {
                unanswered.end().ifPresent(end -> end.whenComplete((x, y) -> member.ask(time, claim::release)));
            }
            return member.ask(time, claim::release).whenComplete((held, unknown) -> released = unknown == null);
        }));
    }

    /** Whether the member has answered a release. */
    public boolean isReleased() {
        return released;
    }
}
