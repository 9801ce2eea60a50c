// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.OneExecutor;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error that cuts a hand-over off, as where the stack of the releasing thread is full, gives the lock to nobody else. */
@Timeout(20)
class HandOverErrorTest {
    private static final LockOptions OPTIONS = LockOptions.defaults();

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final LossyBackend store = new LossyBackend(new MemoryBackend(memory), ticker);
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final Executor here = Runnable::run;
    private final LeaseServices services = OneExecutor.services(store, ticker, here, new WorkQueue(here, 1, "a step"));
    private final LocalQueue<HeldLease> queue = new LocalQueue<>(lease -> !lease.isLost());
    private final AtomicInteger failuresLeft = new AtomicInteger();
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final LeaseHandle first = lease(acquisition(() -> {}));
    private final Acquisition waiter = acquisition(this::wake);

    @AfterEach
    void close() {
        services.timer().close();
        services.renewer().close();
        services.cleanup().close();
        other.close();
    }

    private void wake() {
        if (failuresLeft.getAndDecrement() > 0) {
            throw new StackOverflowError("injected");
        }
        isWoken.set(true);
    }

    private Acquisition acquisition(Runnable nudge) {
        TimeBudget budget = new TimeBudget(Nanos.FOREVER, Nanos.of(OPTIONS.lease()), ticker.nanos());
        return new Acquisition(queue, new ClaimFactory(store, services), services, "a", OPTIONS, budget, 0, nudge);
    }

    private static LeaseHandle lease(Acquisition acquisition) {
        return Objects.requireNonNull(acquisition.step().lease());
    }

    private void waiterHoldsAlone() {
        LeaseHandle second = lease(waiter);
        assertThat(second.isHeld()).isTrue();
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken() + 1);
        assertThat(first.isHeld()).isFalse();
        assertThat(other.lock("a").tryAcquire()).as("a second holder").isEmpty();
        assertThat(store.calls(Operation.RELEASE)).isZero();
        assertThat(second.release()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aWaiterThatCouldNotBeWokenAtFirstIsWokenByTheSameRelease() {
        assertThat(waiter.step().isLast()).isFalse();
        failuresLeft.set(1);
        assertThat(first.release()).isTrue();
        waiterHoldsAlone();
        assertThat(isWoken).isTrue();
    }

    @Test
    void aWaiterThatTheReleaseCouldNotWakeIsWokenByTheTimer() {
        assertThat(waiter.step().isLast()).isFalse();
        failuresLeft.set(2);
        assertThatThrownBy(first::release).isInstanceOf(StackOverflowError.class);
        assertThat(isWoken).isFalse();
        ticker.advance(OPTIONS.lease().dividedBy(3));
        await().untilTrue(isWoken);
        waiterHoldsAlone();
    }
}
