// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ReentrancyTest {
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LockClient locks =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();

    @AfterEach
    void close() {
        locks.close();
        other.close();
    }

    @Test
    void reenteringCountsAndKeepsTheToken() {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        lock.lock();
        long token = lock.lease().orElseThrow().fencingToken();
        DistributedReentrantLock sameLock = locks.lock("a").asLock();
        assertThat(sameLock.tryLock()).isTrue();
        assertThat(sameLock.holdCount()).isEqualTo(2);
        assertThat(sameLock.lease().orElseThrow().fencingToken()).isEqualTo(token);
        lock.unlock();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        lock.unlock();
        assertThat(lock.lease()).isEmpty();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aHeldLockBelongsToItsThread() throws Exception {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        lock.lock();
        AtomicBoolean entered = new AtomicBoolean(true);
        Thread stranger = new Thread(() -> {
            entered.set(lock.tryLock());
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        });
        stranger.start();
        stranger.join();
        assertThat(entered).isFalse();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void afterALossEnteringThrowsAndTheCountIsKept() {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        lock.lock();
        lock.lock();
        store.expire("a");
        ticker.advance(Duration.ofSeconds(30));
        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
        lock.lock();
        lock.unlock();
    }

    @Test
    void interruptsEndTheCallsThatDeclareIt() throws Exception {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isPresent();
        assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anUninterruptibleWaitIsNotInterrupted() throws Exception {
        var lease = other.lock("a").acquire();
        DistributedReentrantLock lock = locks.lock("a").asLock();
        AtomicBoolean flag = new AtomicBoolean();
        int parked = ticker.parked();
        Thread waiter = new Thread(() -> {
            lock.lock();
            flag.set(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiter.start();
        ticker.awaitParked(parked + 1);
        waiter.interrupt();
        await().until(() -> !waiter.isInterrupted());
        ticker.awaitParked(parked + 1);
        lease.close();
        waiter.join();
        assertThat(flag).isTrue();
    }

    @Test
    void theLeaseOfAThreadThatEndedIsNotRenewed() throws Exception {
        Thread thread = new Thread(() -> locks.lock("a").asLock().lock());
        thread.start();
        thread.join();
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(10));
            return other.lock("a").tryAcquire().isPresent();
        });
    }

    @Test
    void aThreadThatHasLostTheLockLeavesAtOnceAndMayLockAgain() {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        assertThat(lock.leaveIfLost()).isFalse();
        lock.lock();
        lock.lock();
        assertThat(lock.leaveIfLost()).isFalse();
        assertThat(lock.holdCount()).isEqualTo(2);
        store.expire("a");
        ticker.advance(Duration.ofSeconds(30));
        assertThat(lock.leaveIfLost()).isTrue();
        assertThat(lock.leaveIfLost()).isFalse();
        assertThat(lock.holdCount()).isZero();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        lock.unlock();
    }

    @Test
    void everyUnlockTellsThatTheLeaseWasReleasedByHand() {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        lock.lock();
        lock.lock();
        lock.lease().orElseThrow().release();
        assertThat(lock.leaveIfLost()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertThat(lock.holdCount()).isZero();
        lock.lock();
        lock.unlock();
    }

    @Test
    void theLastUnlockTellsOfALossThatAReleaseByHandHasAnswered() {
        DistributedReentrantLock lock = locks.lock("a").asLock();
        lock.lock();
        store.expire("a");
        ticker.advance(Duration.ofSeconds(30));
        assertThat(lock.lease().orElseThrow().release()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void aThreadThatEnteredAsOftenAsCanBeCountedGetsAnErrorAndStaysInside() {
        try (Lease lease = locks.lock("a").tryAcquire().orElseThrow()) {
            ThreadHolds.Inside inside = new ThreadHolds.Inside((LeaseHandle) lease);
            inside.count = Integer.MAX_VALUE - 1;
            inside.enterAgain();
            assertThatThrownBy(inside::enterAgain).isExactlyInstanceOf(Error.class);
            assertThat(inside.count).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Test
    void nothingIsKeptOfAThreadThatEndedInsideALeaseWithoutRenewal() throws Exception {
        LockOptions unrenewed = LockOptions.defaults().withRenewal(false);
        Thread thread = new Thread(() -> locks.lock("a", unrenewed).asLock().lock());
        thread.start();
        thread.join();
        WeakReference<Thread> ended = new WeakReference<>(thread);
        thread = null;
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(30));
            System.gc();
            return ended.refersTo(null);
        });
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }
}
