// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.ClaimRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What tutorials teach. */
final class WrongLocks {
    private WrongLocks() {}

    /** W3: deletes without asking whose it is. */
    static final class DeletesAnybodys extends SmallLock {
        DeletesAnybodys(String host, int port) {
            super(host, port);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            return redis.del(key) == 1;
        }
    }

    /** W4: gets and compares, and deletes in a second call. */
    static final class ComparesThenDeletes extends SmallLock {
        ComparesThenDeletes(String host, int port) {
            super(host, port);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            boolean mine = request.owner().equals(redis.get(key));
            // The thread is not running for a while, as threads do at the worst moment.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15));
            return mine && redis.del(key) == 1;
        }
    }

    /** W5: the lease in whole seconds, so that half a second is none. */
    static final class RoundsToSeconds extends SmallLock {
        RoundsToSeconds(String host, int port) {
            super(host, port);
        }

        @Override
        boolean tryAcquire(String key, ClaimRequest request) {
            boolean granted =
                    redis.setnx(key, request.owner()) == 1 || request.owner().equals(redis.get(key));
            if (granted) {
                redis.expire(key, request.lease().toSeconds());
            }
            return granted;
        }
    }
}
