// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.dual;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a lock in two stores: the old one first, then the new one, and given back the other way round. Each half counts from
 * its own question, and what is promised is the shorter of both. Used by one thread at a time, as its backend's callers promise.
 */
public final class DualClaim implements Claim {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final LockBackend oldStore;
    private final LockBackend youngStore;
    private final boolean fenced;
    private final ClaimRequest request;
    private final Runnable nudge;

    /** How often halves were given back that this claim asks for again: a store refuses an owner that has released. */
    private int attempt;

    private Claim old;

    /** The claim for the other half; made when the first is there, since its tokens must be above those of the first. */
    private @Nullable Claim young;

    /** The token of the first half for which the second one was asked. */
    private long oldToken;

    /** Up to where the old store's tokens are raised. */
    private long raised;

    private Claim refusing;
    private boolean refusedByNew;
    private Consumer<Loss> listener = loss -> {};

    /** What the stores answered to a release that one of them has not answered yet. */
    private @Nullable Boolean gaveNewBack;

    private @Nullable Boolean gaveOldBack;

    DualClaim(LockBackend oldStore, LockBackend youngStore, boolean fenced, ClaimRequest request, Runnable nudge) {
        this.oldStore = oldStore;
        this.youngStore = youngStore;
        this.fenced = fenced;
        this.request = request;
        this.nudge = nudge;
        old = oldStore.claim(request, nudge);
        refusing = old;
    }

    /** With halves that are held already: one of them, for {@link #takeOther}. */
    DualClaim(
            LockBackend oldStore,
            LockBackend youngStore,
            boolean fenced,
            ClaimRequest request,
            Runnable nudge,
            @Nullable Claim old,
            @Nullable Claim young) {
        this.oldStore = oldStore;
        this.youngStore = youngStore;
        this.fenced = fenced;
        this.request = request;
        this.nudge = nudge;
        this.young = young;
        this.old = old == null ? oldStore.claim(half(false, floorAbove(young)), nudge) : old;
        oldToken = this.old.fencingToken();
        refusing = this.old;
    }

    private long floorAbove(@Nullable Claim half) {
        long floor = fenced && half != null ? Math.max(request.tokenFloor(), lastToken(half.fencingToken())) : 0;
        return Math.min(floor, ClaimRequest.HIGHEST_TOKEN_FLOOR);
    }

    /**
     * Takes the half that is missing, once and without waiting, beside one that is held and is kept whatever comes of it; both then last for
     * {@code lease} from before this call on, less what {@link #leaseSpent()} tells. May be repeated.
     *
     * @param hasOld which half is held
     * @throws BackendException if it is not known whether it was taken
     */
    public boolean takeOther(boolean hasOld, Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(DualBackend.NAME, atMost, deadline -> {
            boolean isTaken = hasOld ? takeNew(deadline) : old.tryAcquire(rest(deadline));
            if (!isTaken) {
                return false;
            }
            Claim taken = hasOld ? newHalf() : old;
            if (!lease.equals(request.lease()) && !taken.renew(lease, rest(deadline))) {
                return false;
            }
            if (!hasOld) {
                oldToken = old.fencingToken();
                return true;
            }
            return !fenced || raiseOld(lastToken(newHalf().fencingToken()), deadline);
        });
    }

    /** What one half asks for. */
    private ClaimRequest half(boolean waits, long floor) {
        String owner = attempt == 0
                ? request.owner()
                : Sha256.hex((request.owner() + attempt).getBytes(StandardCharsets.US_ASCII))
                        .substring(0, request.owner().length());
        return new ClaimRequest(
                request.lock(), owner, request.label(), request.lease(), waits, floor, request.tokenCount());
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(DualBackend.NAME, atMost, deadline -> {
            forgetReleases();
            refusedByNew = false;
            if (!old.tryAcquire(rest(deadline))) {
                refusing = old;
                return false;
            }
            try {
                return tryNew(deadline);
            } catch (BackendException failure) {
                if (failure.kind() == BackendException.Kind.REFUSED) {
                    startAnew(deadline); // a refusal has changed nothing
                }
                throw failure;
            }
        });
    }

    private boolean tryNew(CallDeadline deadline) throws InterruptedException {
        if (!takeNew(deadline)) {
            refusedByNew = true;
            if (!request.waits()) {
                startAnew(deadline);
            }
            return false;
        }
        if (fenced && !raiseOld(lastToken(fencingToken()), deadline)) {
            startAnew(deadline);
            return false;
        }
        whenLost(listener);
        return true;
    }

    private boolean takeNew(CallDeadline deadline) throws InterruptedException {
        if (!askNew(deadline)) {
            return false;
        }
        long lastOld = lastToken(oldToken);
        if (!fenced || newHalf().fencingToken() > lastOld) {
            return true;
        }
        // Above the greatest floor that a claim can give: the counter is raised, and gives another token.
        boolean isAbove = newHalf().raiseToken(checked(lastOld), rest(deadline));
        dropNew(deadline);
        return isAbove && askNew(deadline);
    }

    private boolean askNew(CallDeadline deadline) throws InterruptedException {
        Claim half = newHalf(deadline);
        refusing = half;
        return half.tryAcquire(rest(deadline));
    }

    /** The next half is asked for under another owner. */
    private void dropNew(CallDeadline deadline) {
        newHalf().release(rest(deadline));
        young = null;
        attempt++;
    }

    /** The last token of a block. */
    private long lastToken(long first) {
        return first + request.tokenCount() - 1;
    }

    private long checked(long token) {
        if (token > ClaimRequest.HIGHEST_RAISED_TOKEN) {
            throw BackendException.refused(
                    "the tokens of the lock are too great to rise in two stores: beyond 2^52 + 2^51; hold it in one of them",
                    null);
        }
        return token;
    }

    /** Gives back what this claim has, so that it can ask for it again. */
    private void startAnew(CallDeadline deadline) {
        Claim refused = refusing;
        giveBack(deadline);
        attempt++;
        old = oldStore.claim(half(request.waits(), request.tokenFloor()), nudge);
        young = null;
        raised = 0;
        refusing = refused;
    }

    /** A grant of the old store with other tokens is another grant: the second half must be above it, too. */
    private Claim newHalf(CallDeadline deadline) {
        if (young != null && fenced && old.fencingToken() != oldToken) {
            dropNew(deadline);
        }
        if (young == null) {
            oldToken = old.fencingToken();
            long floor = fenced ? Math.max(request.tokenFloor(), lastToken(oldToken)) : 0;
            young = youngStore.claim(half(false, Math.min(floor, ClaimRequest.HIGHEST_TOKEN_FLOOR)), nudge);
        }
        return young;
    }

    /** Whoever is next in the old store alone must have a greater token. */
    private boolean raiseOld(long token, CallDeadline deadline) {
        if (raised != token) {
            if (!old.raiseToken(checked(token), rest(deadline))) {
                return false;
            }
            raised = token;
        }
        return true;
    }

    /** The time that is left, for a part of a call. */
    public static Duration rest(CallDeadline deadline) {
        if (deadline.hasPassed()) {
            throw deadline.noAnswer(null);
        }
        return Duration.ofNanos(deadline.remainingNanos());
    }

    /** The new half first: whoever then has the old one finds the new one free. True if both were held until now. */
    private boolean giveBack(CallDeadline deadline) {
        BackendException unanswered = null;
        if (young != null && gaveNewBack == null) {
            try {
                // The old store is asked even if the new one is silent.
                gaveNewBack = young.release(
                        Duration.ofNanos(Math.max(1, rest(deadline).toNanos() / 2)));
            } catch (BackendException failure) {
                unanswered = failure;
            }
        }
        if (gaveOldBack == null) {
            gaveOldBack = old.release(rest(deadline));
        }
        if (unanswered != null) {
            throw unanswered;
        }
        boolean hadNew = Boolean.TRUE.equals(gaveNewBack);
        boolean hadOld = Boolean.TRUE.equals(gaveOldBack);
        refusing = hadOld && young != null ? young : old;
        forgetReleases();
        return hadOld && hadNew;
    }

    private void forgetReleases() {
        gaveNewBack = null;
        gaveOldBack = null;
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(DualBackend.NAME, atMost, deadline -> {
            Duration half = Duration.ofNanos(Math.max(1, rest(deadline).toNanos() / 2));
            if (!old.renew(lease, half)) {
                refusing = old;
                return false;
            }
            Claim second = newHalf();
            if (!second.renew(lease, rest(deadline))) {
                refusing = second;
                return false;
            }
            return true;
        });
    }

    /** The half beside one that is held, if it was asked for. */
    public Optional<Claim> otherHalf(boolean hasOld) {
        return hasOld ? Optional.ofNullable(young) : Optional.of(old);
    }

    /** The half in the old store. */
    public Claim oldHalf() {
        return old;
    }

    /** The half in the new store, of a claim that holds, or held. */
    public Claim newHalf() {
        if (young == null) {
            throw new IllegalStateException("a claim that was not granted cannot be renewed");
        }
        return young;
    }

    void renewedInOld(Answer answer) {
        if (answer == Answer.NO) {
            refusing = old;
        }
    }

    void renewedInNew(Answer answer) {
        if (answer == Answer.NO) {
            refusing = newHalf();
        }
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return refusing.holdsUntilLeaseEnds();
    }

    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(DualBackend.NAME, atMost, this::giveBack);
    }

    @Override
    public long fencingToken() {
        return fenced && young != null ? young.fencingToken() : 0;
    }

    /** The new store is asked later than the old one, so the call as a whole has spent no more of its lease than it says. */
    @Override
    public Duration leaseSpent() {
        Duration first = old.leaseSpent();
        Duration second = young == null ? Duration.ZERO : young.leaseSpent();
        return first.compareTo(second) >= 0 ? first : second;
    }

    /** In the new store a claim stands in no queue, and hears of no release. */
    @Override
    public Optional<Duration> retryAfter() {
        return refusedByNew ? Optional.of(LOOK_AGAIN) : refusing.retryAfter();
    }

    @Override
    public Optional<Duration> pollAfter() {
        return refusing.pollAfter();
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        return CallDeadline.uninterruptibly(
                DualBackend.NAME,
                atMost,
                deadline -> old.raiseToken(token, rest(deadline)) && newHalf().raiseToken(token, rest(deadline)));
    }

    @Override
    public void whenLost(Consumer<Loss> listener) {
        this.listener = listener;
        old.whenLost(listener);
        if (young != null) {
            young.whenLost(listener);
        }
    }

    @Override
    public Loss loss() {
        return refusing.loss();
    }
}
