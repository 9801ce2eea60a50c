// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memcached.connection.Call;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim on one item. The commands to one server go over one connection, in order: a release is executed after the tries
 * that were sent before it.
 */
public final class MemcachedClaim implements Claim {
    final ClaimRequest request;
    final ItemKey key;

    /** Whether an item of this claim may be in the store, or on its way there. */
    private boolean mayHold;

    private @Nullable Loss loss;

    /** A claim on the item with that key. */
    public MemcachedClaim(ClaimRequest request, ItemKey key) {
        this.request = request;
        this.key = key;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        try (Call call = Call.interruptible(atMost)) {
            return tryAcquire(call);
        } catch (Call.Interrupted now) {
            throw new InterruptedException("interrupted while memcached was asked");
        }
    }

    /** One command if the server has answered a moment ago, as it does to somebody who polls; else the item is read first. */
    private boolean tryAcquire(Call call) {
        boolean read = mayHold || !key.server().awaitLive(call).isFresh();
        while (true) {
            Optional<VersionedItem> found = read ? key.read(call) : Optional.empty();
            if (found.isEmpty()) {
                if (add(call)) {
                    return true;
                }
                if (!mayHold) {
                    return false;
                }
            } else if (!isMine(found.get()) || found.get().item().revoked().isPresent()) {
                return false;
            } else if (key.isDone(key.extend(found.get(), request, call), call)) {
                return true;
            }
            read = true;
        }
    }

    private boolean add(Call call) {
        boolean mightHold = mayHold;
        mayHold = true;
        boolean added = key.add(request, call);
        // An item that refuses the first try that was ever sent is another's.
        mayHold = added || mightHold;
        return added;
    }

    @Override
    public boolean renew(Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            return key.change(
                    found -> isLost(found, call)
                            ? Optional.empty()
                            : Optional.of(key.extend(found.orElseThrow(), request, call)),
                    call);
        }
    }

    @Override
    public boolean release(Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            // A try may have been sent on an earlier connection: a server that wakes up must execute that one first.
            key.server().awaitLive(call).awaitAwake(call);
            return key.change(found -> isNotMine(found, call) ? Optional.empty() : found.map(key::delete), call);
        }
    }

    /** Whether the claim cannot be renewed any more; remembers why. */
    boolean isLost(Optional<VersionedItem> found, Call call) {
        if (isNotMine(found, call)) {
            return true;
        }
        Optional<String> reason = found.orElseThrow().item().revoked();
        reason.ifPresent(why -> loss = new Loss(LossCause.REVOKED, why));
        return reason.isPresent();
    }

    private boolean isNotMine(Optional<VersionedItem> found, Call call) {
        boolean notMine = found.filter(this::isMine).isEmpty();
        if (notMine) {
            loss = whyNotMine(found, call);
        }
        return notMine;
    }

    private Loss whyNotMine(Optional<VersionedItem> found, Call call) {
        Optional<String> reason = key.revocationOf(request.owner(), call);
        if (reason.isPresent()) {
            return new Loss(LossCause.REVOKED, reason.get());
        }
        return found.isPresent()
                ? new Loss(LossCause.TAKEN_OVER, "another claim holds the lock now")
                : new Loss(LossCause.EVICTED_OR_DELETED, "memcached does not know the lock any more");
    }

    private boolean isMine(VersionedItem found) {
        return found.item().isOf(request.owner());
    }

    /** By how much an item may expire too early when memcached looks at its clock too late. */
    @Override
    public Duration leaseSpent() {
        return LockItem.CLOCK_LATE;
    }

    /** Unknown unless a renewal or a release was refused. */
    @Override
    public Loss loss() {
        Loss told = loss;
        return told == null ? Claim.super.loss() : told;
    }
}
