// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim on one item. The commands to one server go over one connection, in order: a release is obeyed after the tries that
 * were sent before it.
 */
final class MemcachedClaim implements Claim {
    final ClaimRequest request;
    final Slot slot;
    private final Directory directory;

    /** Whether an item of this claim may be in the store, or on its way there. */
    private boolean mayHold;

    private @Nullable Loss loss;

    MemcachedClaim(ClaimRequest request, Directory directory) {
        this.request = request;
        this.slot = directory.slot(request.lock());
        this.directory = directory;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        try (Call call = Call.interruptible(atMost)) {
            return tryAcquire(call);
        } catch (Call.Interrupted now) {
            throw new InterruptedException("interrupted while memcached was asked");
        }
    }

    /** One command if the server was heard a moment ago, as by somebody who polls; else it is looked at first. */
    private boolean tryAcquire(Call call) {
        boolean look = mayHold || !slot.server().contact(call).isFresh();
        while (true) {
            Optional<Stored> found = look ? slot.read(call) : Optional.empty();
            if (found.isEmpty()) {
                if (add(call)) {
                    return true;
                }
                if (!mayHold) {
                    return false;
                }
            } else if (!isMine(found.get()) || found.get().holding().revoked().isPresent()) {
                return false;
            } else if (slot.isDone(slot.extend(found.get(), request, call), call)) {
                return true;
            }
            look = true;
        }
    }

    private boolean add(Call call) {
        boolean mightHold = mayHold;
        mayHold = true;
        boolean added = slot.add(request, call);
        // An item that refuses the first try that was ever sent is another's.
        mayHold = added || mightHold;
        return added;
    }

    @Override
    public boolean renew(Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            return renew(call);
        }
    }

    boolean renew(Call call) {
        while (true) {
            Optional<Stored> found = slot.read(call);
            if (isLost(found, call)) {
                return false;
            }
            if (slot.isDone(slot.extend(found.orElseThrow(), request, call), call)) {
                return true;
            }
        }
    }

    @Override
    public boolean release(Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            // A try may have been sent on an earlier connection: what a server finds when it wakes up goes first.
            slot.server().contact(call).awaitAwake(call);
            while (true) {
                Optional<Stored> found = slot.read(call);
                if (found.filter(this::isMine).isEmpty()) {
                    loss = whyNotMine(found, call);
                    return false;
                }
                if (slot.isDone(slot.delete(found.get()), call)) {
                    return true;
                }
            }
        }
    }

    /** Whether the claim cannot be renewed any more; remembers why. */
    boolean isLost(Optional<Stored> found, Call call) {
        if (found.filter(this::isMine).isEmpty()) {
            loss = whyNotMine(found, call);
            return true;
        }
        Optional<String> reason = found.get().holding().revoked();
        reason.ifPresent(why -> loss = new Loss(LossCause.REVOKED, why));
        return reason.isPresent();
    }

    private Loss whyNotMine(Optional<Stored> found, Call call) {
        Optional<String> reason = directory.revocation(slot, request.owner()).note(call);
        if (reason.isPresent()) {
            return new Loss(LossCause.REVOKED, reason.get());
        }
        return found.isPresent()
                ? new Loss(LossCause.TAKEN_OVER, "another claim holds the lock now")
                : new Loss(LossCause.EVICTED_OR_DELETED, "memcached does not know the lock any more");
    }

    private boolean isMine(Stored stored) {
        return stored.holding().isOf(request.owner());
    }

    /** What an item may lack when memcached looks at its clock too late. */
    @Override
    public Duration leaseSpent() {
        return Holding.CLOCK_LATE;
    }

    /** Unknown unless a renewal or a release was refused. */
    @Override
    public Loss loss() {
        Loss told = loss;
        return told == null ? Claim.super.loss() : told;
    }
}
