// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.Thrown;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.OneExecutor;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.engine.local.WorkerStarter;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps are taken on the thread that asks for them, so that the test decides when. */
@Timeout(20)
class AsyncAcquisitionTest {
    private static final LockOptions OPTIONS = LockOptions.defaults();

    /** Time that stands still, and what happens when this thread next looks at it. */
    private static final class TrappedTicker implements Ticker {
        private final ManualTicker time = new ManualTicker();
        private final Thread trapped = Thread.currentThread();
        private @Nullable Runnable next;

        @Override
        public long nanos() {
            if (Thread.currentThread() == trapped && next != null) {
                Runnable due = next;
                next = null;
                due.run();
            }
            return time.nanos();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis();
        }

        @Override
        public void parkUntil(Object blocker, long until) {
            time.parkUntil(blocker, until);
        }
    }

    private final TrappedTicker ticker = new TrappedTicker();
    private final LossyBackend store = new LossyBackend(new MemoryBackend(new MemoryStore(ticker)));
    private final Executor here = Runnable::run;
    private final WorkQueue steps = new WorkQueue(here, 1, "a step");
    private final LeaseServices services = OneExecutor.services(store, ticker, here, steps);
    private final LocalQueue<HeldLease> queue = new LocalQueue<>(lease -> !lease.isLost());
    private final AsyncAcquisition<LeaseHandle> future = future(here);
    private final Acquisition acquisition = acquisition(future);
    private final AtomicBoolean ended = new AtomicBoolean();

    private AsyncAcquisition<LeaseHandle> future(Executor completions) {
        return new AsyncAcquisition<>(
                services.environment(),
                services.timer(),
                steps,
                new WorkerStarter(completions, "complete a future"),
                new WorkerStarter(completions, "complete a future"),
                new AsyncAcquisition.Ending<LeaseHandle>() {
                    @Override
                    public LeaseHandle of(@Nullable LeaseHandle lease) {
                        return Objects.requireNonNull(lease);
                    }

                    @Override
                    public LeaseHandle without(LockStoreException failure) {
                        throw failure;
                    }
                });
    }

    private Acquisition acquisition(AsyncAcquisition<LeaseHandle> of) {
        return new Acquisition(
                queue,
                new ClaimFactory(store, services),
                services,
                "a",
                OPTIONS,
                new TimeBudget(Nanos.FOREVER, Nanos.of(OPTIONS.lease()), ticker.nanos()),
                0,
                of.nudge());
    }

    @AfterEach
    void close() {
        services.timer().close();
        services.renewer().close();
        services.cleanup().close();
    }

    /** The line is empty again after one release only if nobody stood in it twice. */
    private void getsTheLeaseOnceAndLeavesNothing(AsyncAcquisition<LeaseHandle> asked) throws Exception {
        LeaseHandle lease = asked.get(10, TimeUnit.SECONDS);
        assertThat(lease.isHeld()).isTrue();
        assertThat(ended).isTrue();
        assertThat(store.calls(Operation.TRY)).isEqualTo(1);
        assertThat(lease.release()).isTrue();
        assertThat(queue.isEmpty()).as("nobody is left in line").isTrue();
    }

    @Test
    void aWakeBeforeTheStartTakesNoStepAndEndsNothing() throws Exception {
        future.nudge().run();
        assertThat(store.calls(Operation.TRY)).isZero();
        assertThat(queue.isEmpty()).isTrue();
        future.start(acquisition, () -> ended.set(true), () -> {});
        getsTheLeaseOnceAndLeavesNothing(future);
    }

    @Test
    void aWakeWhileTheStartTakesThePlaceInLineTakesNoSecondPlace() throws Exception {
        ticker.next = future.nudge();
        future.start(acquisition, () -> ended.set(true), () -> {});
        assertThat(ticker.next).as("woken during the start").isNull();
        getsTheLeaseOnceAndLeavesNothing(future);
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void whereNoThreadCanTellOfTheEndTheOneThatStepsDoes(Thrown refusal) throws Exception {
        AsyncAcquisition<LeaseHandle> untold = future(task -> refusal.raise());
        untold.start(acquisition(untold), () -> ended.set(true), () -> {});
        getsTheLeaseOnceAndLeavesNothing(untold);
    }
}
