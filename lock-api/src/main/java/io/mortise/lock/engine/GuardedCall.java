// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LeaseCall;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.WorkQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task under a lease, and interrupts the task's thread when the lease is lost, but never after the task has
 * ended. Made before the lease is acquired, so that nothing can fail between the two. Used once, by one thread.
 */
final class GuardedCall<T, E extends Exception> {
    private final LeaseCall<T, E> task;
    private final LossInterrupt interrupt = new LossInterrupt();
    private final Runnable atLoss;
    private @Nullable T result;

    GuardedCall(LeaseCall<T, E> task, WorkQueue interrupts) {
        this.task = task;
        this.atLoss = () -> interrupts.run(interrupt);
    }

    T under(LeaseHandle lease) throws E, InterruptedException {
        Throwable failure = null;
        try {
            interrupt.begin();
            lease.held().atLoss(atLoss);
            T returned = task.call(lease);
            result = task instanceof WithoutResult ? null : returned;
            return returned;
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            end(lease, failure);
        }
    }

    /** Throws if the lease was lost, which then matters more than how the task ended. */
    private void end(LeaseHandle lease, @Nullable Throwable failure) {
        boolean interrupted = interrupt.end(failure instanceof InterruptedException);
        try {
            lease.release();
        } catch (LockReleaseException unanswered) {
            if (failure == null) {
                throw new LockReleaseException(
                        lease.lockName(), String.valueOf(unanswered.getMessage()), unanswered.getCause(), result);
            }
            if (unanswered.getCause() != failure) {
                failure.addSuppressed(unanswered);
            }
        }
        Loss loss = lease.held().loss();
        if (loss != null) {
            LockLostException lost = new LockLostException(lease.lockName(), loss, result);
            if (failure != null) {
                lost.addSuppressed(failure);
            }
            if (failure instanceof InterruptedException && !interrupted) {
                Thread.currentThread().interrupt();
            }
            throw lost;
        }
    }
}
