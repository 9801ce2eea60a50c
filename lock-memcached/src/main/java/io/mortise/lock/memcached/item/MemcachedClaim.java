// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memcached.connection.MemcachedFailures;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RememberedLoss;
import java.time.Duration;
import java.util.Optional;

/**
 * Implements a claim by commands on one item. The commands to one server go over one connection, in order: a release
 * is executed after the tries that were sent before it.
 */
public final class MemcachedClaim implements Claim {
    final ClaimRequest request;
    final ItemCommands item;

    /** Whether an item of this claim may be in the store, or on its way there. */
    private boolean mayHold;

    private boolean holdsUntilLeaseEnds;

    private final RememberedLoss loss = new RememberedLoss();

    public MemcachedClaim(ClaimRequest request, ItemCommands item) {
        this.request = request;
        this.item = item;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(MemcachedFailures.STORE, atMost, this::tryAcquire);
    }

    /** One command if the server has answered a moment ago, as it does to somebody who polls; else the item is read first. */
    private boolean tryAcquire(CallDeadline deadline) throws InterruptedException {
        boolean read = mayHold || !item.server().awaitLive(deadline).isFresh();
        while (true) {
            Optional<VersionedItem> found = read ? item.read(deadline) : Optional.empty();
            if (found.isEmpty()) {
                if (add(deadline)) {
                    return true;
                }
                if (!mayHold) {
                    return false;
                }
            } else if (!isMine(found.get()) || found.get().item().revoked().isPresent()) {
                return false;
            } else if (item.isDone(item.extend(found.get(), request.lease(), deadline), deadline)) {
                return true;
            }
            read = true;
        }
    }

    private boolean add(CallDeadline deadline) throws InterruptedException {
        boolean mightHold = mayHold;
        mayHold = true;
        boolean added = item.add(request, deadline);
        // An item that refuses the first try that was ever sent is another's.
        mayHold = added || mightHold;
        return added;
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(MemcachedFailures.STORE, atMost, deadline -> renew(lease, deadline));
    }

    private boolean renew(Duration lease, CallDeadline deadline) throws InterruptedException {
        return item.change(
                found -> isRenewable(found, deadline)
                        ? Optional.of(item.extend(found.orElseThrow(), lease, deadline))
                        : Optional.empty(),
                deadline);
    }

    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(MemcachedFailures.STORE, atMost, this::release);
    }

    private boolean release(CallDeadline deadline) throws InterruptedException {
        // A try may have been sent on an earlier connection: a server that wakes up must execute that one first.
        item.server().awaitLive(deadline).awaitAwake(deadline);
        return item.change(found -> isHeld(found, deadline) ? found.map(item::delete) : Optional.empty(), deadline);
    }

    /** Whether the claim can still be renewed; if not, remembers why. */
    boolean isRenewable(Optional<VersionedItem> found, CallDeadline deadline) throws InterruptedException {
        holdsUntilLeaseEnds = false;
        if (!isHeld(found, deadline)) {
            return false;
        }
        Optional<String> reason = found.orElseThrow().item().revoked();
        holdsUntilLeaseEnds = reason.isPresent();
        return loss.isGranted(reason.map(why -> new Loss(LossCause.REVOKED, why)));
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return holdsUntilLeaseEnds;
    }

    /** Whether the item is this claim's; if not, remembers why. */
    private boolean isHeld(Optional<VersionedItem> found, CallDeadline deadline) throws InterruptedException {
        if (found.filter(this::isMine).isPresent()) {
            return true;
        }
        Optional<String> reason = item.revocationOf(request.owner(), deadline);
        if (reason.isPresent()) {
            loss.remember(LossCause.REVOKED, reason.get());
        } else if (found.isPresent()) {
            loss.remember(LossCause.TAKEN_OVER, "another claim holds the lock now");
        } else {
            loss.remember(LossCause.EVICTED_OR_DELETED, "memcached does not know the lock any more");
        }
        return false;
    }

    private boolean isMine(VersionedItem found) {
        return found.item().owner().equals(request.owner());
    }

    /** By how much an item may expire too early when memcached looks at its clock too late. */
    @Override
    public Duration leaseSpent() {
        return LockItem.CLOCK_LATE;
    }

    @Override
    public Loss loss() {
        return loss.get();
    }
}
