// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseTimer;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.engine.local.WorkerStarter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private static final long RETRY_NANOS = 20_000_000;

    private final Environment environment;
    private final LeaseTimer timer;
    private final WorkQueue steps;
    private final WorkerStarter completions;
    private final WorkerStarter workers;
    private final Ending<T> ending;
    /** Busy until it has begun: a step that a wake takes earlier would not know its ticket. */
    private final AtomicReference<State> state = new AtomicReference<>(State.STEPPING);

    /** The lease that was granted, until somebody has been told of it. The handle on it belongs to the outcome alone. */
    private final AtomicReference<@Nullable HeldLease> untold = new AtomicReference<>();

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
    private final WorkQueue.Task late = new WorkQueue.Task() {
        @Override
        protected void run() {
            giveBackUntold();
        }
    };
    /** Null once an executor has it: if that drops it, the lease can be released by nobody, and ends though the future is kept. */
    private @Nullable Outcome outcome = new Outcome();

    private final Nudge nudge = new Nudge(this);
    private volatile @Nullable Acquisition acquisition;
    private volatile Runnable whenEnded = () -> {};
    private volatile Runnable whenDone = () -> {};

    /**
     * Does nothing yet.
     *
     * @param steps where the steps are taken
     * @param completions what completes the future, and so runs what depends on it
     * @param workers the same where those refuse
     */
    public AsyncAcquisition(
            Environment environment,
            LeaseTimer timer,
            WorkQueue steps,
            WorkerStarter completions,
            WorkerStarter workers,
            Ending<T> ending) {
        this.environment = environment;
        this.timer = timer;
        this.steps = steps;
        this.completions = completions;
        this.workers = workers;
        this.ending = ending;
    }

    /**
     * Begins.
     *
     * @param steppedThrough the acquisition, whose nudge is {@link #nudge}
     * @param ended run when nothing of the acquisition is left; the future may still be completed later, or never, if an executor
     *     drops the outcome
     * @param done run when the future has been completed, maybe more than once
     */
    public void start(Acquisition steppedThrough, Runnable ended, Runnable done) {
        acquisition = steppedThrough;
        whenEnded = ended;
        whenDone = done;
        boolean begun = false;
        try {
            timer.register(alarm);
            // Callers are served in the order of their calls, whichever thread takes their steps first.
            steppedThrough.enter();
            // For completions that pass by the methods of this class, such as completeAsync.
            var unused = whenComplete((value, failure) -> completed());
            steps.run(task);
            begun = true;
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    @Override
    public boolean complete(@Nullable T value) {
        try {
            return super.complete(value);
        } finally {
            completed();
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        try {
            return super.completeExceptionally(failure);
        } finally {
            completed();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        try {
            return super.cancel(mayInterruptIfRunning);
        } finally {
            completed();
        }
    }

    /**
     * By whomever: what is left of the call ends, and a lease that it did not complete with is given back. Not only as one of those
     * that depend on the future: what they throw can keep the rest of them from being told. Idempotent, never throws.
     */
    private void completed() {
        if (isDone()) {
            whenDone.run();
            wake();
            if (untold.get() != null) {
                steps.run(late);
            }
        }
    }

    private void giveBackUntold() {
        HeldLease lease = untold.getAndSet(null);
        if (lease != null) {
            lease.giveBack();
        }
    }

    /**
     * Takes a step soon, until the acquisition has ended. The claim keeps it for as long as the lease lasts: it must not keep
     * the future reachable, and so a lease that nobody else can reach.
     */
    private static final class Nudge implements Runnable {
        private volatile @Nullable AsyncAcquisition<?> future;

        private Nudge(AsyncAcquisition<?> future) {
            this.future = future;
        }

        @Override
        public void run() {
            AsyncAcquisition<?> nudged = future;
            if (nudged != null) {
                nudged.wake();
            }
        }
    }

    /** What makes it take another step. Quick, never throws. */
    public Runnable nudge() {
        return nudge;
    }

    /** How the acquisition has ended. Made before it is needed, and told until it could be told: memory may be short. */
    private final class Outcome implements Runnable {
        private @Nullable T value;
        private @Nullable Throwable failure;
        private @Nullable HeldLease lease;
        private final AtomicBoolean begun = new AtomicBoolean();

        /** Once: some executors keep a task that they have refused, and run it later. */
        @Override
        @SuppressWarnings("CatchingUnchecked")
        public void run() {
            boolean told = !begun.compareAndSet(false, true);
            while (!told) {
                try {
                    tell();
                    told = true;
                } catch (Throwable noMemory) {
                    environment.pause(this, RETRY_NANOS);
                }
            }
        }

        /** A lease that comes too late is given back. */
        private void tell() {
            HeldLease granted = untold.getAndSet(null);
            lease = granted == null ? lease : granted;
            finish(value, failure);
            if (lease != null && (isCompletedExceptionally() || getNow(null) != value)) {
                lease.giveBack();
            }
        }
    }

    /**
     * Completes the future, unless it is complete, and tells all that depend on it. A callback that throws what the JDK can make no
     * exception of cuts that off, and is then no longer among those to be told.
     *
     * @throws VirtualMachineError for want of memory; to be called again then
     */
    @SuppressWarnings("CatchingUnchecked")
    private void finish(@Nullable T value, @Nullable Throwable failure) {
        boolean told = false;
        while (!told) {
            try {
                boolean unused = failure == null ? complete(value) : completeExceptionally(failure);
                told = true;
            } catch (VirtualMachineError again) {
                throw again;
            } catch (Throwable ofACallback) {
                // It is the callback's own matter.
            }
        }
    }

    /**
     * The client has stopped, and takes no more steps.
     *
     * @throws VirtualMachineError for want of memory; to be called again then
     */
    public void clientClosed() {
        Acquisition current = acquisition;
        finish(null, new LockClosedException(current == null ? "" : current.lockName()));
    }

    /** Takes a step soon. Quick, never throws. */
    public void wake() {
        while (true) {
            State now = state.get();
            if (now == State.IDLE && state.compareAndSet(State.IDLE, State.STEPPING)) {
                begin();
                return;
            }
            if (now == State.ENDED
                    || now == State.STEPPING_AND_NUDGED
                    || (now == State.STEPPING && state.compareAndSet(State.STEPPING, State.STEPPING_AND_NUDGED))) {
                return;
            }
        }
    }

    /** Whatever is thrown, a later wake can begin. */
    private void begin() {
        boolean begun = false;
        try {
            steps.run(task);
            begun = true;
        } finally {
            if (!begun) {
                state.compareAndSet(State.STEPPING, State.IDLE);
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
                Outcome toTell = outcome;
                if (toTell != null) {
                    toTell.failure = failure;
                    tellOutcome(toTell);
                }
            }
        } while (goesOn && !state.compareAndSet(State.STEPPING, State.IDLE));
    }

    /** False if it was the last. */
    private boolean takeStep() {
        Acquisition current = acquisition;
        Outcome toTell = outcome;
        if (current == null || toTell == null || isDone()) {
            end();
            return false;
        }
        Acquisition.Step step;
        try {
            step = current.step();
        } catch (LockStoreException unanswered) {
            toTell.value = ending.without(unanswered);
            tellOutcome(toTell);
            return false;
        }
        if (!step.isLast()) {
            timer.set(alarm, step.until());
            return true;
        }
        LeaseHandle lease = step.lease();
        boolean hasValue = false;
        try {
            toTell.value = ending.of(lease);
            untold.set(lease == null ? null : lease.held());
            hasValue = true;
        } finally {
            if (!hasValue && lease != null) {
                lease.held().giveBack();
            }
        }
        if (isDone()) {
            // From outside, before anybody could see the lease here.
            giveBackUntold();
        }
        tellOutcome(toTell);
        return false;
    }

    /** What depends on the future is user code: it must not hold up the steps of others. */
    @SuppressWarnings("CatchingUnchecked")
    private void tellOutcome(Outcome toTell) {
        try {
            end();
        } catch (Throwable leftToTheLease) {
            // The outcome matters more, and end() has gone on after it.
        }
        if (!completions.tryRun(toTell) && !workers.tryRun(toTell)) {
            toTell.run();
        }
        outcome = null;
    }

    private void end() {
        state.set(State.ENDED);
        Acquisition current = acquisition;
        try {
            if (current != null) {
                current.end();
            }
        } finally {
            nudge.future = null;
            timer.unregister(alarm);
            whenEnded.run();
        }
    }
}
