// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.tck.foreign.ThreadOwnedLocks.ThreadOwnedLock;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of one of Spring Integration's registries, as its thread uses it. */
record SpringLock(DistributedLock lock, Renewing renewing) implements ThreadOwnedLock {
    /** The renewal of a registry's lock. */
    interface Renewing {
        void by(Duration lease);
    }

    @Override
    public boolean tryLock(Duration lease) throws InterruptedException {
        return lock.tryLock(Duration.ZERO, lease);
    }

    @Override
    public boolean renew(Duration lease) {
        try {
            renewing.by(lease);
            return true;
        } catch (IllegalStateException | IllegalMonitorStateException notHeld) {
            return false;
        }
    }

    /** Each of the exceptions says that the lock is not held: it has expired or was released. */
    @Override
    public boolean unlock() {
        try {
            lock.unlock();
            return true;
        } catch (ConcurrentModificationException | IllegalStateException notHeld) {
            return false;
        }
    }
}
