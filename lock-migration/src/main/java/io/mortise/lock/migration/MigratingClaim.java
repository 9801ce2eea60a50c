// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import static io.mortise.lock.migration.dual.DualClaim.rest;

import io.mortise.lock.Loss;
import io.mortise.lock.migration.dual.DualBackend;
import io.mortise.lock.migration.dual.DualClaim;
import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.register.WindowWatch;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a lock of a fleet that moves: in the mode that the window asks for. A lease that is held goes along with the window at its
 * renewals: it takes the half that it lacks if that is free, and gives back the one that nobody asks for any more. Used by one thread at a
 * time, but for {@link #reliableNanos()}.
 */
final class MigratingClaim implements Claim {
    private static final String NAME = "the stores of the migration";

    /**
     * The stores, and what is known of the window.
     *
     * @param both a client of both, by the same clients
     */
    record Stores(LockBackend old, LockBackend young, DualBackend both, WindowWatch window) {
        LockBackend of(LeaseMode mode) {
            return switch (mode) {
                case OLD -> old;
                case DUAL -> both;
                case NEW -> young;
            };
        }
    }

    /** In which mode the claim asks or holds, and in which spell of it the lock was granted; -1 if it was not. */
    private record Standing(LeaseMode mode, long spell) {
        boolean isGranted() {
            return spell >= 0;
        }
    }

    private final Stores stores;
    private final ClaimRequest request;
    private final Runnable nudge;

    private volatile Standing standing = new Standing(LeaseMode.DUAL, -1);

    /** What asks, or holds. */
    private Claim claim;

    private boolean hasAsked;

    /** What it asked for: with the floor of the window, and an owner of its own each time that it asks anew. */
    private ClaimRequest asked;

    /** Takes the other half, maybe in several renewals. Null if there is nothing to take. */
    private @Nullable DualClaim converting;

    /** Halves that were given up, or may have been taken, and of which it is not known that they are free. */
    private final List<Claim> leftovers = new ArrayList<>();

    private int attempts;
    private long token;

    /** The token of the half that tells it: another one than that of the grant if the half was taken later. */
    private long newest;

    private Consumer<Loss> listener = loss -> {};

    MigratingClaim(Stores stores, ClaimRequest request, Runnable nudge) {
        this.stores = stores;
        this.request = request;
        this.nudge = nudge;
        asked = request;
        claim = stores.of(LeaseMode.DUAL).claim(request, nudge);
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(NAME, atMost, deadline -> {
            MigrationRecord record = stores.window.current(deadline);
            LeaseMode mode = standing.mode;
            boolean holds = standing.isGranted() && reliableNanos() > 0;
            if (!hasAsked || (!holds && (standing.isGranted() || mode != record.mode()))) {
                askAnew(record, deadline);
                mode = record.mode();
            }
            long spell = stores.window.spell(mode);
            if (spell < 0) {
                throw deadline.noAnswer(null); // what was read counts no more
            }
            if (!claim.tryAcquire(rest(deadline))) {
                standing = new Standing(mode, -1);
                stores.window.wake(nudge);
                return false;
            }
            stores.window.wakeNoMore(nudge);
            long granted = claim.fencingToken();
            if (!holds || granted != newest) {
                token = granted;
                newest = granted;
                standing = new Standing(mode, spell);
            }
            return true;
        });
    }

    /** Whatever it had is given back, and asked for under another owner: a store refuses one that has released. */
    private void askAnew(MigrationRecord record, CallDeadline deadline) {
        LeaseMode mode = record.mode();
        if (hasAsked) {
            standing = new Standing(mode, -1);
            giveUp(claim, deadline);
            attempts++;
        }
        long floor = Math.max(request.tokenFloor(), record.floor(mode));
        String owner = attempts == 0
                ? request.owner()
                : Sha256.hex(("mode" + request.owner() + attempts).getBytes(StandardCharsets.US_ASCII))
                        .substring(0, request.owner().length());
        asked = new ClaimRequest(
                request.lock(),
                owner,
                request.label(),
                request.lease(),
                request.waits() && keepsPlace(record),
                Math.min(floor, ClaimRequest.HIGHEST_TOKEN_FLOOR),
                request.tokenCount());
        claim = stores.of(mode).claim(asked, nudge);
        hasAsked = true;
        standing = new Standing(mode, -1);
    }

    /** Who waits for the new store's half with the old one in hand would keep leases of the new store from taking that. */
    private static boolean keepsPlace(MigrationRecord record) {
        return record.mode() != LeaseMode.DUAL || record.window() != MigrationWindow.DUAL_AND_NEW;
    }

    private void giveUp(Claim half, CallDeadline deadline) {
        try {
            half.release(part(deadline));
        } catch (RuntimeException unanswered) {
            leftovers.add(half);
        }
    }

    private static Duration part(CallDeadline deadline) {
        return Duration.ofNanos(Math.max(1, deadline.remainingNanos() / 2));
    }

    /** What renews and releases for it now. */
    Claim current() {
        return claim;
    }

    LeaseMode mode() {
        return standing.mode;
    }

    /** Whether its next renewal only renews. */
    boolean staysAsItIs() {
        return stores.window.known().map(MigrationRecord::mode).orElse(standing.mode) == standing.mode;
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            boolean stays = staysAsItIs();
            if (!claim.renew(lease, stays ? rest(deadline) : part(deadline))) {
                return false;
            }
            LeaseMode wanted = stores.window.known().map(MigrationRecord::mode).orElse(standing.mode);
            if (!stays && reliableNanos() > 0) {
                goAlong(wanted, lease, deadline);
            }
            return true;
        });
    }

    /** The lease was renewed as it is, so a half that cannot be had now is asked for at the next renewal. */
    private void goAlong(LeaseMode wanted, Duration lease, CallDeadline deadline) {
        try {
            if (wanted == LeaseMode.DUAL) {
                takeOther(lease, deadline);
            } else if (claim instanceof DualClaim dual) {
                keepOne(dual, wanted, deadline);
            }
        } catch (BackendException unanswered) {
            // As if it was not free; if it was taken, the next renewal finds that, or the release.
        }
    }

    private void takeOther(Duration lease, CallDeadline deadline) {
        boolean hasOld = standing.mode == LeaseMode.OLD;
        if (converting == null) {
            converting = stores.both.claimBeside(asked, nudge, hasOld ? claim : null, hasOld ? null : claim);
        }
        long spell = stores.window.spell(LeaseMode.DUAL);
        if (spell >= 0 && converting.takeOther(hasOld, lease, rest(deadline))) {
            converting.whenLost(listener);
            claim = converting;
            newest = claim.fencingToken();
            converting = null;
            standing = new Standing(LeaseMode.DUAL, spell);
        }
    }

    private void keepOne(DualClaim dual, LeaseMode wanted, CallDeadline deadline) {
        long spell = stores.window.spell(wanted);
        if (spell < 0) {
            return;
        }
        boolean keepsOld = wanted == LeaseMode.OLD;
        claim = keepsOld ? dual.oldHalf() : dual.newHalf();
        claim.whenLost(listener);
        newest = claim.fencingToken();
        standing = new Standing(wanted, spell);
        giveUp(keepsOld ? dual.newHalf() : dual.oldHalf(), deadline);
    }

    @Override
    public long reliableNanos() {
        Standing now = standing;
        return now.isGranted() ? stores.window.reliableNanos(now.mode, now.spell) : Long.MAX_VALUE;
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return claim.holdsUntilLeaseEnds();
    }

    /** What was given up before is released, too; if that is not answered, it ends with its lease. */
    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            stores.window.wakeNoMore(nudge);
            if (converting != null) {
                converting.otherHalf(standing.mode == LeaseMode.OLD).ifPresent(leftovers::add);
                converting = null;
            }
            boolean held = claim.release(leftovers.isEmpty() ? rest(deadline) : part(deadline));
            for (Claim half : List.copyOf(leftovers)) {
                leftovers.remove(half);
                giveUp(half, deadline);
            }
            return held;
        });
    }

    /** That of the grant, whatever halves the lease has had since. */
    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public Duration leaseSpent() {
        return claim.leaseSpent();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return claim.retryAfter();
    }

    @Override
    public Optional<Duration> pollAfter() {
        return claim.pollAfter();
    }

    @Override
    public boolean raiseToken(long newToken, Duration atMost) {
        return claim.raiseToken(newToken, atMost);
    }

    @Override
    public void whenLost(Consumer<Loss> newListener) {
        listener = newListener;
        claim.whenLost(newListener);
    }

    @Override
    public Loss loss() {
        Standing now = standing;
        boolean isBarred = now.isGranted() && reliableNanos() <= 0;
        return isBarred ? stores.window.loss(now.mode) : claim.loss();
    }
}
