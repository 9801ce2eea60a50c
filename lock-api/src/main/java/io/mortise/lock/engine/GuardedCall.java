// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LeaseCall;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.engine.lease.LeaseHandle;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task under a lease, and interrupts the task's thread when the lease is lost, but never after the task has
 * ended. Used once, by one thread.
 */
final class GuardedCall<T, E extends Exception> {
    private final LeaseHandle lease;
    private final Thread thread = Thread.currentThread();
    private boolean running = true;
    private boolean interrupted;

    GuardedCall(LeaseHandle lease) {
        this.lease = lease;
    }

    T call(LeaseCall<T, E> task) throws E, InterruptedException {
        lease.held().atLoss(this::interrupt);
        Throwable failure = null;
        try {
            return task.call(lease);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            end(failure);
        }
    }

    private synchronized void interrupt() {
        if (running) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Throws if the lease was lost, which then matters more than how the task ended. */
    private void end(@Nullable Throwable failure) {
        synchronized (this) {
            running = false;
            if (interrupted) {
                // Our own interrupt, which the task may not have noticed.
                Thread.interrupted();
            }
        }
        try {
            lease.release();
        } catch (LockStoreException unanswered) {
            if (failure == null) {
                throw unanswered;
            }
            failure.addSuppressed(unanswered);
        }
        Loss loss = lease.held().loss();
        if (loss != null) {
            LockLostException lost = new LockLostException(lease.lockName(), loss);
            if (failure != null) {
                lost.addSuppressed(failure);
            }
            throw lost;
        }
    }
}
