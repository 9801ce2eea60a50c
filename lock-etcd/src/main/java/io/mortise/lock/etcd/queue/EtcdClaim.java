// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.Loss;
import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Implements a claim by a key in the queue of its lock. The first key of a queue by the revision in which it was made holds the lock,
 * once its claim was told so.
 */
public final class EtcdClaim implements Claim {
    private final Gateway gateway;
    private final QueueKey key;
    private final QueuePlace place;

    /** A call that was given up may still run. */
    private final ReentrantLock oneCall = new ReentrantLock();

    private boolean released;
    private volatile long token;

    /** Asks nothing yet. */
    public EtcdClaim(
            ClaimRequest request,
            Gateway gateway,
            LockKeys keys,
            FencingTokens.OfStore tokens,
            Waiters waiters,
            Runnable nudge) {
        this.gateway = gateway;
        key = new QueueKey(gateway, keys, tokens, request);
        place = new QueuePlace(gateway, waiters, nudge);
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(Gateway.STORE, atMost, deadline -> alone(deadline, this::attempt));
    }

    private boolean attempt(CallDeadline deadline) throws InterruptedException {
        key.settle(deadline);
        if (place.isUndisturbed() && key.goesOnWaiting(deadline)) {
            return false;
        }
        while (!released) {
            if (deadline.hasPassed()) {
                throw deadline.noAnswer(null);
            }
            QueueKey.Look look = key.isGranted() ? key.askAgain(deadline) : key.ask(deadline);
            switch (look) {
                case GRANTED -> {
                    place.leave();
                    token = key.token();
                    return true;
                }
                case REFUSED -> {
                    return false;
                }
                case WAITS -> {
                    if (place.waitsBehind(key.predecessor(), key.created(), deadline)) {
                        return false;
                    }
                }
                case ASK_AGAIN -> {
                    // Something has changed since it was looked at.
                }
            }
        }
        return false;
    }

    private <T> T alone(CallDeadline deadline, CallDeadline.Body<T> call) throws InterruptedException {
        gateway.ensureOpen();
        if (!deadline.driverWait(limit -> oneCall.tryLock(Math.max(0, limit.remainingNanos()), TimeUnit.NANOSECONDS))) {
            throw deadline.noAnswer(null);
        }
        try {
            return call.run(deadline);
        } finally {
            oneCall.unlock();
        }
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(
                Gateway.STORE,
                atMost,
                deadline -> alone(deadline, limit -> !released && key.isGranted() && key.extend(lease, limit)));
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return key.isRevoked() && key.isGranted();
    }

    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(
                Gateway.STORE,
                atMost,
                deadline -> alone(deadline, limit -> {
                    released = true;
                    place.leave();
                    return key.delete(limit);
                }));
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public boolean raiseToken(long least, Duration atMost) {
        ClaimRequest.checkRaisedToken(least);
        return CallDeadline.uninterruptibly(
                Gateway.STORE, atMost, deadline -> alone(deadline, limit -> key.raiseToken(least, limit)));
    }

    /** A waiter keeps its place in the queue by asking again before its lease ends, and looks whether those before it live. */
    @Override
    public Optional<Duration> retryAfter() {
        if (!place.waits()) {
            return Optional.empty();
        }
        Duration idle = key.untilItIsGivenUp();
        Duration often = key.untilLeaseIsDue();
        return Optional.of(
                idle == null || idle.compareTo(often) > 0 ? often : idle.isNegative() ? Duration.ZERO : idle);
    }

    @Override
    public Loss loss() {
        return key.loss();
    }
}
