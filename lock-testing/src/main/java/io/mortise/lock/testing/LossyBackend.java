// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;

/**
 * Wraps any backend and simulates a bad network: some requests are lost before the store receives them, some replies
 * are lost after the store acted, and some messages arrive late. A lost call fails at once with a
 * {@link BackendException}. Calls that look at locks or revoke them are not disturbed.
 * Thread-safe.
 */
public final class LossyBackend extends ForwardingBackend {
    /** The calls of a claim that can be lost. */
    public enum Operation {
        /** {@link Claim#tryAcquire}. */
        TRY,
        /** {@link Claim#renew}. */
        RENEW,
        /** {@link Claim#release}. */
        RELEASE
    }

    private final NetworkFaults faults;

    /**
     * Starts with a good network.
     *
     * @param inner the store behind it; closed with this backend
     */
    public LossyBackend(LockBackend inner) {
        this(inner, Ticker.system());
    }

    /**
     * Starts with a good network, whose delays are measured by a given clock.
     *
     * @param inner the store behind it; closed with this backend
     * @param ticker measures delays
     */
    public LossyBackend(LockBackend inner, Ticker ticker) {
        super(inner);
        this.faults = new NetworkFaults(ticker);
    }

    /**
     * Loses the next request of a kind: the store never sees it.
     *
     * @param operation the kind
     */
    public void loseNextRequest(Operation operation) {
        faults.plan(operation, NetworkFaults.Fault.LOSE_REQUEST, Duration.ZERO);
    }

    /**
     * Loses the next reply of a kind: the store acts, the caller does not learn it.
     *
     * @param operation the kind
     */
    public void loseNextReply(Operation operation) {
        faults.plan(operation, NetworkFaults.Fault.LOSE_REPLY, Duration.ZERO);
    }

    /**
     * Delays the next reply of a kind, even beyond the time that the call may take.
     *
     * @param operation the kind
     * @param delay how long after the store acted
     */
    public void delayNextReply(Operation operation, Duration delay) {
        faults.plan(operation, NetworkFaults.Fault.DELAY_REPLY, delay);
    }

    /**
     * Holds up the next request of a kind on its way: the call fails at once, and the store sees the request when
     * {@link #deliverHeldUp()} is called.
     *
     * @param operation the kind
     */
    public void holdUpNextRequest(Operation operation) {
        faults.plan(operation, NetworkFaults.Fault.HOLD_UP_REQUEST, Duration.ZERO);
    }

    /** {@return how many requests were held up} The store sees all of them now. */
    public int deliverHeldUp() {
        return faults.deliverHeldUp();
    }

    /**
     * Loses messages at random from now on, requests as often as replies.
     *
     * @param share how many of all calls fail, 0 to 1
     * @param seed the same seed loses the same calls
     */
    public void loseRandomly(double share, long seed) {
        faults.randomly(share, seed);
    }

    /**
     * {@return how many calls have begun since the start, lost ones included}
     *
     * @param operation the kind
     */
    public long calls(Operation operation) {
        return faults.calls(operation);
    }

    /**
     * {@return how many calls have ended since the start, with an answer or a failure}
     *
     * @param operation the kind
     */
    public long ended(Operation operation) {
        return faults.ended(operation);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new LossyClaim(inner().claim(request, nudge));
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return renewOneByOne(renewals, atMost);
    }

    /** A claim whose calls go through the bad network. */
    private final class LossyClaim extends ForwardingClaim {
        LossyClaim(Claim inner) {
            super(inner);
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            return faults.apply(Operation.TRY, () -> inner().tryAcquire(atMost));
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return withoutInterrupt(Operation.RENEW, () -> inner().renew(lease, atMost));
        }

        @Override
        public boolean release(Duration atMost) {
            return withoutInterrupt(Operation.RELEASE, () -> inner().release(atMost));
        }

        private boolean withoutInterrupt(Operation operation, NetworkFaults.Call call) {
            try {
                return faults.apply(operation, call);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BackendException("interrupted while the reply was under way", interrupted);
            }
        }
    }
}
