// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Whether a claim holds, and the end of what this client must end itself: a lease that was not renewed, and the place of a
 * waiter that has not looked for a lease. Thread-safe.
 */
public final class ClaimState {
    private static final Loss NEVER_HELD = new Loss(LossCause.EVICTED_OR_DELETED, "this claim did not hold the lock");

    private final ClientContext ensemble;
    private final QueueNode place;
    private final long lease;
    private boolean granted;
    private boolean released;
    private long endsAt;
    private long spent;
    private @Nullable FencedGrant grant;
    private @Nullable Future<?> alarm;
    private Loss loss = NEVER_HELD;

    public ClaimState(ClientContext ensemble, QueueNode place, long lease) {
        this.ensemble = ensemble;
        this.place = place;
        this.lease = lease;
    }

    /** Begins, or goes on, for a lease from a moment; false if the claim was released. */
    public synchronized boolean extend(long from) {
        if (released) {
            return false;
        }
        endsAt = alarm == null || endsAt - from < lease ? from + lease : endsAt;
        if (alarm == null) {
            ensemble.claims.add(this);
            alarm = ensemble.housekeeping.after(endsAt - System.nanoTime(), this::endIfDue);
        }
        return true;
    }

    /** The claim holds, by an answer to a request that was sent after a moment; false if it was released meanwhile. */
    public synchronized boolean grant(EphemeralNode holder, long token, int tokens, long asked) {
        if (released) {
            return false;
        }
        granted = true;
        grant = new FencedGrant(holder, token, tokens);
        ensemble.grants.put(place.queue().path(), grant);
        return renewed(holder.session(), asked);
    }

    /** The claim still holds, by an answer to a request that was sent after a moment; false if it has ended meanwhile. */
    public synchronized boolean renewed(Session session, long asked) {
        spent = Math.max(0, lease - session.clock().left(asked));
        return granted && extend(asked);
    }

    public synchronized boolean isGranted() {
        return granted && !released;
    }

    /** How much of the lease was over before the last confirmation was asked for, in nanoseconds. */
    public synchronized long spent() {
        return spent;
    }

    /** The first token of the last grant, or 0. */
    public synchronized long fencingToken() {
        return grant == null ? 0 : grant.first();
    }

    public synchronized Loss loss() {
        return loss;
    }

    /** The claim does not hold, for a reason. */
    public synchronized void lose(Loss why) {
        granted = false;
        loss = why;
        ensemble.grants.remove(place.queue().path(), grant);
    }

    /** The claim is being released; ends nothing any more. Answers whether it held. */
    public synchronized boolean release() {
        released = true;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
        ensemble.claims.remove(this);
        ensemble.grants.remove(place.queue().path(), grant);
        return granted;
    }

    /** Ends whatever there is, as when the client closes. In one step: what is asked for after it makes a node of its own. */
    public synchronized void end() {
        if (granted) {
            lose(new Loss(LossCause.EXPIRED, "the lease ended before it was renewed"));
        }
        alarm = null;
        ensemble.claims.remove(this);
        place.giveUp();
    }

    private synchronized void endIfDue() {
        if (released) {
            return;
        }
        long left = endsAt - System.nanoTime();
        if (left > 0 || place.isBeingMade()) {
            alarm = ensemble.housekeeping.after(Math.max(left, lease / 4), this::endIfDue);
        } else {
            end();
        }
    }
}
