// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseTimer;
import io.mortise.lock.engine.local.Threads;
import io.mortise.lock.engine.local.WorkQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A future that takes the steps of an acquisition on the client's threads, and occupies none between them. Whatever completes it
 * from outside ends the acquisition, and a lease that comes too late is given back. Thread-safe.
 *
 * @param <T> what it completes with
 */
public final class AsyncAcquisition<T> extends CompletableFuture<T> {
    /** Whether a step is being taken, and whether another one was asked for meanwhile. */
    private enum State {
        IDLE,
        STEPPING,
        STEPPING_AND_NUDGED,
        ENDED
    }

    /** How the end of an acquisition becomes the value of the future. */
    public interface Ending<T> {
        /**
         * The value of a grant, or of others holding the lock.
         *
         * @param lease the lease, or null if others hold the lock
         * @throws RuntimeException if the future is to complete with that
         */
        T of(@Nullable LeaseHandle lease);

        /**
         * The value where the store did not answer.
         *
         * @throws LockStoreException the failure, if the future is to complete with that
         */
        T without(LockStoreException failure);
    }

    private final LeaseTimer timer;
    private final WorkQueue steps;
    private final Executor executor;
    private final Ending<T> ending;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final LeaseTimer.Alarm alarm = new LeaseTimer.Alarm() {
        @Override
        protected void goOff() {
            wake();
        }
    };
    private final WorkQueue.Task task = new WorkQueue.Task() {
        @Override
        protected void run() {
            takeSteps();
        }
    };
    private volatile @Nullable Acquisition acquisition;
    private volatile Runnable whenEnded = () -> {};

    /**
     * Does nothing yet.
     *
     * @param steps where the steps are taken
     * @param executor what completes the future, and so runs what depends on it
     */
    public AsyncAcquisition(LeaseTimer timer, WorkQueue steps, Executor executor, Ending<T> ending) {
        this.timer = timer;
        this.steps = steps;
        this.executor = executor;
        this.ending = ending;
    }

    /**
     * Begins.
     *
     * @param steppedThrough the acquisition, whose nudge is {@link #wake}
     * @param ended run when nothing of it is left
     */
    public void start(Acquisition steppedThrough, Runnable ended) {
        acquisition = steppedThrough;
        whenEnded = ended;
        timer.register(alarm);
        // Callers are served in the order of their calls, whichever thread takes their steps first.
        steppedThrough.enter();
        whenComplete((value, failure) -> wake());
        wake();
    }

    /** The client has stopped, and takes no more steps. */
    public void clientClosed() {
        Acquisition current = acquisition;
        completeExceptionally(new LockClosedException(current == null ? "" : current.lockName()));
    }

    /** Takes a step soon. Quick, never throws. */
    public void wake() {
        while (true) {
            State now = state.get();
            if (now == State.IDLE && state.compareAndSet(State.IDLE, State.STEPPING)) {
                steps.run(task);
                return;
            }
            if (now == State.ENDED
                    || now == State.STEPPING_AND_NUDGED
                    || (now == State.STEPPING && state.compareAndSet(State.STEPPING, State.STEPPING_AND_NUDGED))) {
                return;
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void takeSteps() {
        boolean goesOn;
        do {
            state.set(State.STEPPING);
            try {
                goesOn = takeStep();
            } catch (Throwable failure) {
                goesOn = false;
                fail(failure);
            }
        } while (goesOn && !state.compareAndSet(State.STEPPING, State.IDLE));
    }

    private void fail(Throwable failure) {
        try {
            end();
        } finally {
            completeOn(() -> completeExceptionally(failure));
        }
    }

    /** False if it was the last. */
    private boolean takeStep() {
        Acquisition current = acquisition;
        if (current == null || isDone()) {
            end();
            return false;
        }
        Acquisition.Step step;
        try {
            step = current.step();
        } catch (LockStoreException unanswered) {
            T without = ending.without(unanswered);
            end();
            completeOn(() -> complete(without));
            return false;
        }
        if (!step.isLast()) {
            timer.set(alarm, step.until());
            return true;
        }
        deliver(step.lease());
        return false;
    }

    private void deliver(@Nullable LeaseHandle lease) {
        boolean delivered = false;
        try {
            T value = ending.of(lease);
            end();
            completeOn(() -> {
                if (!complete(value) && lease != null) {
                    lease.held().releaseQuietly();
                }
            });
            delivered = true;
        } finally {
            if (!delivered && lease != null) {
                lease.held().releaseQuietly();
            }
        }
    }

    /** What depends on the future is user code: it must not hold up the steps of others. */
    private void completeOn(Runnable completion) {
        if (!Threads.tryRun(executor, completion, "complete a future")) {
            completion.run();
        }
    }

    private void end() {
        state.set(State.ENDED);
        Acquisition current = acquisition;
        try {
            if (current != null) {
                current.end();
            }
        } finally {
            timer.unregister(alarm);
            whenEnded.run();
        }
    }
}
