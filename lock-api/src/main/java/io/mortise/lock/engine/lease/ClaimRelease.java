// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Releases one claim, with a few attempts within one time limit; or lets it keep others out for the rest of a time. Remembers that an
 * earlier release was not answered: a later "not held" then means that the earlier one had worked. Used by one thread at a time.
 */
public final class ClaimRelease {
    private static final int TRIES = 3;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Claim claim;
    private final Duration shortestLease;
    private final Environment environment;
    private boolean inDoubt;
    private boolean kept;
    private long keptUntil;
    private boolean keptTooLong;
    /** What the clean-up is doing with this claim. Guarded by the monitor of the {@link Cleanup}. */
    Cleanup.@Nullable PendingRelease underWay;

    private final AtomicInteger unfinished = new AtomicInteger();
    private @Nullable CompletionStage<?> allEnded;

    /**
     * For one claim.
     *
     * @param shortestLease the shortest lease that the store can honour
     */
    public ClaimRelease(Claim claim, Duration shortestLease, Environment environment) {
        this.claim = claim;
        this.shortestLease = shortestLease;
        this.environment = environment;
    }

    Claim claim() {
        return claim;
    }

    /** Others are to be kept out until that moment: until then a release leaves the lock in the store for the time that is left. */
    void keepUntil(long moment) {
        kept = true;
        keptUntil = moment;
    }

    /** Whether the store keeps the released lock for longer than it was to, since it keeps none for so short a time. */
    boolean isKeptTooLong() {
        return keptTooLong;
    }

    long keptUntil() {
        return keptUntil;
    }

    /** A call on the claim was given up and may still change the store: the claim is released once more when it has ended. */
    public void releaseAgainAfter(CompletionStage<?> call) {
        CompletionStage<?> earlier = allEnded;
        unfinished.incrementAndGet();
        CompletionStage<Integer> ended = call.handle((value, failure) -> unfinished.decrementAndGet());
        allEnded = earlier == null ? ended : earlier.thenCombine(ended, (one, other) -> other);
    }

    /** Completes when all calls that were given up have ended; null if none is left that may change the store. */
    public @Nullable CompletionStage<?> unfinished() {
        return unfinished.get() == 0 ? null : allEnded;
    }

    /**
     * Releases, ignoring interrupts. True if the claim held until now, or until a release that was not answered.
     *
     * @throws RuntimeException the last failure, if the store did not answer within {@code atMost}
     * @throws Error if the backend threw it
     */
    @SuppressWarnings("CatchingUnchecked")
    public boolean release(Ticker ticker, Duration atMost) {
        boolean interrupted = Thread.interrupted();
        try {
            long end = ticker.nanos() + atMost.toNanos();
            for (int tries = 1; ; tries++) {
                try {
                    return once(ticker.nanos(), end) || inDoubt;
                } catch (Throwable noAnswer) {
                    inDoubt = true;
                    if (noAnswer instanceof BackendException failure) {
                        failure.end().ifPresent(this::releaseAgainAfter);
                    }
                    long pause = PAUSE_NANOS * tries;
                    boolean mayHelp =
                            noAnswer instanceof RuntimeException && !isRefusal(noAnswer) && unfinished() == null;
                    if (tries == TRIES || end - ticker.nanos() <= pause || !mayHelp) {
                        throw noAnswer;
                    }
                    environment.pause(this, pause);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean once(long now, long end) {
        Duration atMost = Duration.ofNanos(Math.max(1_000_000, end - now));
        keptTooLong = false;
        if (!kept || keptUntil - now <= 0) {
            return claim.release(atMost);
        }
        Duration rest = Duration.ofNanos(keptUntil - now);
        boolean tooShort = rest.compareTo(shortestLease) < 0;
        if (claim.renew(tooShort ? shortestLease : rest, atMost)) {
            keptTooLong = tooShort;
            return true;
        }
        // A lock that was revoked is not renewed, and kept to the end of a lease that lasts for as long at least.
        return claim.holdsUntilLeaseEnds();
    }

    static boolean isRefusal(Throwable failure) {
        return failure instanceof BackendException known && known.kind() == BackendException.Kind.REFUSED;
    }
}
