// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Wraps a backend, and makes the renewals of one lock, alone or with those beside it, throw any exception or error. Thread-safe. */
public final class ThrowingBackend extends ForwardingBackend {
    private final String lock;
    private final Queue<Runnable> planned = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> plannedForAll = new ConcurrentLinkedQueue<>();

    /** Throws nothing until told to. */
    public ThrowingBackend(LockBackend inner, String lock) {
        super(inner);
        this.lock = lock;
    }

    /** Lets one more renewal throw what an action throws, instead of asking the store. */
    public void planThrowing(Runnable action) {
        planned.add(action);
    }

    /** Lets one more batch with the lock in it throw what an action throws, instead of asking the store. */
    public void planThrowingForAll(Runnable action) {
        plannedForAll.add(action);
    }

    /** True once all that was planned has been thrown. */
    public boolean hasThrown() {
        return planned.isEmpty() && plannedForAll.isEmpty();
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new ThrowingClaim(super.claim(request, nudge), request.lock().equals(lock));
    }

    private final class ThrowingClaim extends ForwardingClaim {
        private final boolean throwing;

        private ThrowingClaim(Claim inner, boolean throwing) {
            super(inner);
            this.throwing = throwing;
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            if (throwing) {
                runNext(planned);
            }
            return super.renew(lease, atMost);
        }
    }

    private static void runNext(Queue<Runnable> plans) {
        Runnable action = plans.poll();
        if (action != null) {
            action.run();
        }
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        if (renewals.stream().anyMatch(renewal -> ((ThrowingClaim) renewal.claim()).throwing)) {
            runNext(plannedForAll);
        }
        return renewOneByOne(renewals, atMost);
    }
}
