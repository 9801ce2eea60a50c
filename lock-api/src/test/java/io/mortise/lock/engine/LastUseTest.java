// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In compiled code an object is garbage as soon as its last method needs it no more, even while that method runs. A lease in
 * whose method a caller still is has not been dropped.
 */
@Timeout(120)
class LastUseTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** The children compile the method at its first call: whether it is compiled must not be left to luck. */
    @ParameterizedTest
    @ValueSource(strings = {"release", "extend"})
    void aLeaseWhoseLastUseIsUnderWayIsNotAbandoned(String lastUse) throws Exception {
        ChildProgram.run(
                LastUseTest.class,
                0,
                "-Xcomp",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=compileonly,io.mortise.lock.engine.lease.LeaseHandle::" + lastUse,
                "-Dlast.use=" + lastUse);
    }

    /** Stands still in the hands of whoever holds the monitor of a lease, until it may go on. */
    private static final class Gate implements Ticker {
        private final ManualTicker ticker = new ManualTicker();
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private volatile @Nullable HeldLease lease;

        @Override
        public long nanos() {
            HeldLease watched = lease;
            if (watched != null && Thread.holdsLock(watched)) {
                entered.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            }
            return ticker.nanos();
        }

        @Override
        public long wallMillis() {
            return ticker.wallMillis();
        }

        @Override
        public void parkUntil(Object blocker, long until) {
            ticker.parkUntil(blocker, until);
        }
    }

    /** Nothing here refers to the lease while it is used: not even a local variable. */
    public static void main(String[] args) throws Exception {
        Gate gate = new Gate();
        LockClient locks = LockClient.builder(new MemoryBackend(new MemoryStore(gate)))
                .ticker(gate)
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(30)))
                .build();
        Queue<Lease> lease = new ArrayDeque<>(List.of(locks.lock("a").acquire()));
        gate.lease = ((LeaseHandle) lease.element()).held();
        gate.ticker.awaitParked(1);
        gate.ticker.advance(Duration.ofSeconds(10));
        gate.entered.await(); // the timer, which is about to ask whether somebody still can release it
        BackgroundCall<Boolean> use =
                BackgroundCall.start(() -> System.getProperty("last.use").equals("release")
                        ? lease.remove().release()
                        : lease.remove().extend(LONG).compareTo(LONG.dividedBy(2)) > 0);
        while (use.thread().getState() != Thread.State.BLOCKED) {
            LockSupport.parkNanos(1_000_000);
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        gate.mayGoOn.countDown();
        assertThat(use.get()).as("held until its last use").isTrue();
        locks.close();
    }
}
