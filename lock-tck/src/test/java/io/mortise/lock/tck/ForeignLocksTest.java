// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.foreign.ForeignBackend;
import io.mortise.lock.tck.foreign.ForeignClient;
import io.mortise.lock.tck.foreign.ForeignGrant;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.foreign.ThreadOwnedLocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Locks that know nothing of Mortise are put to what they promise: right ones pass, wrong ones are caught. */
class ForeignLocksTest {
    @Test
    void locksOfTheJdkPass() {
        Map<String, Lock> locks = new ConcurrentHashMap<>();

        SuiteRun run = jdk(name -> locks.computeIfAbsent(name, unused -> new ReentrantLock()));

        assertThat(run.failures()).isEmpty();
        assertThat(run.passed())
                .containsAll(Promise.EXCLUSION.cases())
                .doesNotContain("f1_freeAfterTheLeaseAndNotBefore");
    }

    @Test
    void whatAnInterruptedTryStillGetsIsGivenBack() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        CountDownLatch granted = new CountDownLatch(1);
        ThreadOwnedLocks slow = new ThreadOwnedLocks(
                name -> new ThreadOwnedLocks.ThreadOwnedLock() {
                    @Override
                    public boolean tryLock(Duration lease) throws InterruptedException {
                        asked.countDown();
                        answers.await();
                        boolean held = lock.tryLock();
                        granted.countDown();
                        return held;
                    }

                    @Override
                    public boolean unlock() {
                        lock.unlock();
                        return true;
                    }
                },
                () -> {});
        FutureTask<Optional<ForeignGrant>> asking =
                new FutureTask<>(() -> slow.tryAcquire("lock", Duration.ofSeconds(1)));
        Thread thread = new Thread(asking, "asks and is interrupted");
        thread.start();
        asked.await();
        thread.interrupt();

        assertThatThrownBy(asking::get).hasCauseInstanceOf(InterruptedException.class);
        answers.countDown();
        granted.await();
        assertThat(lock.tryLock(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void locksThatManyMayHoldAreCaught() {
        Map<String, ReentrantReadWriteLock> locks = new ConcurrentHashMap<>();

        SuiteRun run = jdk(name -> locks.computeIfAbsent(name, unused -> new ReentrantReadWriteLock())
                .readLock());

        run.caughtBy("a1_secondClientIsRefusedWhileHeld");
        run.caughtBy("a1_secondClaimOfTheSameClientIsRefused");
    }

    @Test
    void locksThatShareABucketAreCaught() {
        Map<Integer, Lock> locks = new ConcurrentHashMap<>();

        SuiteRun run = jdk(name -> locks.computeIfAbsent(name.hashCode() & 63, unused -> new ReentrantLock()));

        run.caughtBy("a2_differentNamesAreIndependent");
    }

    @Test
    void leasesPass() {
        LeasedSuite.leases = new Leases(true);

        SuiteRun run = SuiteRun.of(LeasedSuite.class);

        assertThat(run.failures()).isEmpty();
        assertThat(run.passed())
                .containsAll(Promise.ANY_NAME.cases())
                .containsAll(Promise.LEASES.cases())
                .containsAll(Promise.OWNERSHIP.cases())
                .containsAll(Promise.RENEWALS.cases());
    }

    @Test
    void leasesThatAnybodyReleasesAreCaught() {
        LeasedSuite.leases = new Leases(false);

        SuiteRun run = SuiteRun.of(LeasedSuite.class);

        run.caughtBy("e1_staleReleaseDoesNotFreeTheNextHolder");
        run.caughtBy("e3_releasingAgainIsHarmless");
    }

    private static SuiteRun jdk(Function<String, Lock> locks) {
        JdkSuite.locks = locks;
        return SuiteRun.of(JdkSuite.class);
    }

    @Promises({Promise.EXCLUSION, Promise.CLOSING})
    static final class JdkSuite extends LockBackendTck {
        private static volatile Function<String, Lock> locks = name -> new ReentrantLock();

        @Override
        public String store() {
            return "";
        }

        @Override
        public LockBackend open(String store) {
            return new ForeignBackend(ThreadOwnedLocks.of(locks, () -> {}));
        }

        @Override
        public Duration lease() {
            return Duration.ofMillis(300);
        }
    }

    @Promises({
        Promise.EXCLUSION,
        Promise.ANY_NAME,
        Promise.LEASES,
        Promise.OWNERSHIP,
        Promise.OWNERSHIP_IN_ONE_CLIENT,
        Promise.TRUE_RELEASES,
        Promise.ENDED_IS_LOST,
        Promise.RENEWALS
    })
    static final class LeasedSuite extends LockBackendTck {
        private static volatile Leases leases = new Leases(true);

        @Override
        public String store() {
            return "";
        }

        @Override
        public LockBackend open(String store) {
            return new ForeignBackend(leases);
        }

        @Override
        public Duration lease() {
            return Duration.ofMillis(300);
        }
    }

    /** Leases in this JVM. Guarded by its own monitor. */
    private static final class Leases implements ForeignClient {
        private final Map<String, Lease> held = new HashMap<>();
        private final boolean comparesOwners;

        Leases(boolean comparesOwners) {
            this.comparesOwners = comparesOwners;
        }

        private final class Lease implements ForeignGrant {
            private final String lock;
            private long end;

            Lease(String lock, Duration length) {
                this.lock = lock;
                this.end = System.nanoTime() + length.toNanos();
            }

            private boolean isOver() {
                return end - System.nanoTime() <= 0;
            }

            @Override
            public boolean release() {
                synchronized (Leases.this) {
                    boolean mine = held.get(lock) == this && !isOver();
                    return comparesOwners ? mine && held.remove(lock, this) : held.remove(lock) != null;
                }
            }

            @Override
            public boolean renew(Duration length) {
                synchronized (Leases.this) {
                    if (held.get(lock) != this || isOver()) {
                        return false;
                    }
                    end = System.nanoTime() + length.toNanos();
                    return true;
                }
            }
        }

        @Override
        public synchronized Optional<ForeignGrant> tryAcquire(String lock, Duration length) {
            Lease now = held.get(lock);
            if (now != null && !now.isOver()) {
                return Optional.empty();
            }
            Lease granted = new Lease(lock, length);
            held.put(lock, granted);
            return Optional.of(granted);
        }

        @Override
        public void close() {}
    }
}
