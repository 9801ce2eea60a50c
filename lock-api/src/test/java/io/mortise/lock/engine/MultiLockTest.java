// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.LossCause;
import io.mortise.lock.MultiLease;
import io.mortise.lock.MultiLock;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** D8, Q1 to Q7: several locks are acquired, lost and released together. */
@Timeout(60)
class MultiLockTest {
    private static final Duration CALL_TIMEOUT = Duration.ofMillis(200);

    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store));
    private final LockClient locks =
            LockClient.builder(network).callTimeout(CALL_TIMEOUT).build();
    private final LockClient others =
            LockClient.builder(new MemoryBackend(store)).build();
    private final MultiLock lock = locks.multiLock("b", "a", "c");

    @AfterEach
    void close() {
        store.resume();
        locks.close();
        others.close();
    }

    private boolean isFree(String name) {
        return others.lock(name).tryAcquire().map(Lease::release).orElse(false);
    }

    private void allAreFree() {
        assertThat(lock.names()).allMatch(this::isFree);
    }

    @Test
    void eachNameCountsOnceAndTheOrderIsThatOfTheNames() throws Exception {
        MultiLock twice = locks.multiLock("b", "a", "b", "B");
        assertThat(twice.names()).containsExactly("B", "a", "b");
        try (MultiLease all = twice.acquire()) {
            assertThat(all.leases()).extracting(Lease::lockName).containsExactly("B", "a", "b");
            assertThat(all.lease("a").fencingToken()).isPositive();
            assertThatThrownBy(() -> all.lease("c"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'c'");
        }
    }

    @Test
    void noNameIsRefused() {
        assertThatThrownBy(locks::multiLock).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        locks.multiLock(List.of("a"), LockOptions.defaults().withLease(Duration.ofNanos(1))))
                .isInstanceOf(LockConfigurationException.class);
        locks.close();
        assertThatThrownBy(() -> locks.multiLock("a")).isInstanceOf(LockClosedException.class);
    }

    @Test
    void allAreHeldAndReleasedTogether() throws Exception {
        MultiLease all = lock.acquire();
        assertThat(all.isHeld()).isTrue();
        all.ensureHeld();
        assertThat(all.remaining()).isPositive();
        assertThat(lock.names()).noneMatch(this::isFree);
        assertThat(all.release()).isTrue();
        assertThat(all.isHeld()).isFalse();
        assertThat(all.remaining()).isZero();
        assertThatThrownBy(all::ensureHeld).isInstanceOf(IllegalStateException.class);
        all.close();
        allAreFree();
    }

    @Test
    void aCallThatDoesNotGetAllKeepsNone() throws Exception {
        Lease last = others.lock("c").acquire();
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(Duration.ofMillis(20))).isEmpty();
        MultiLock limited =
                locks.multiLock(List.of("a", "b", "c"), LockOptions.defaults().withMaxWait(Duration.ofMillis(20)));
        assertThatThrownBy(limited::acquire)
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("a, b, c");
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
        last.close();
        assertThat(lock.tryAcquire().orElseThrow().release()).isTrue();
    }

    @Test
    void anInterruptGivesAllBack() throws Exception {
        Lease last = others.lock("c").acquire();
        BackgroundCall<MultiLease> call = BackgroundCall.start(lock::acquire);
        await().until(() -> network.calls(Operation.TRY) > 2);
        call.thread().interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
        last.close();
        allAreFree();
    }

    @Test
    void anUninterruptibleTryKeepsTheFlag() {
        Thread.currentThread().interrupt();
        assertThat(lock.tryAcquire().orElseThrow().release()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> {
                    Thread.currentThread().interrupt();
                    lock.tryAcquire(Duration.ZERO);
                })
                .isInstanceOf(InterruptedException.class);
        allAreFree();
    }

    @Test
    void silenceInTheMiddleGivesAllBack() {
        LockOptions going = LockOptions.defaults().withGoOnWithoutAnswer(true);
        MultiLock goingOn = locks.multiLock(List.of("a", "b"), going);
        store.pause();
        assertThatThrownBy(goingOn::tryAcquire).isInstanceOf(LockStoreException.class);
        store.resume();
        await().until(() -> isFree("a") && isFree("b"));
    }

    @Test
    void theWaitsShareOneTime() throws Exception {
        ManualTicker ticker = new ManualTicker();
        MemoryStore driven = new MemoryStore(ticker);
        try (LockClient own = driven(driven, ticker);
                LockClient other = driven(driven, ticker)) {
            Lease first = other.lock("a").acquire();
            Lease last = other.lock("c").acquire();
            BackgroundCall<Boolean> call = BackgroundCall.start(() -> own.multiLock("a", "b", "c")
                    .tryAcquire(Duration.ofSeconds(2))
                    .isPresent());
            call.awaitWaiting();
            ticker.advance(Duration.ofSeconds(1));
            first.close();
            await().until(() -> other.lock("b").holder().isPresent());
            call.awaitWaiting();
            ticker.advance(Duration.ofSeconds(1));
            assertThat(call.get()).isFalse();
            assertThat(other.lock("b").holder()).isEmpty();
            last.close();
        }
    }

    private static LockClient driven(MemoryStore store, ManualTicker ticker) {
        return LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();
    }

    @Test
    void whatIsLostIsToldOnceAndTheOthersStayHeld() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        MultiLease all = lock.acquire();
        all.whenLost((lease, loss) -> told.add(lease.lockName() + " " + loss.cause()));
        lose("b");
        lose("a");
        await().until(() -> !all.lease("a").isHeld() && !all.lease("b").isHeld());
        await().until(() -> told.size() == 1);
        assertThat(told).containsAnyOf("a " + LossCause.REVOKED, "b " + LossCause.REVOKED);
        assertThat(all.isHeld()).isFalse();
        assertThat(all.remaining()).isZero();
        assertThat(isFree("c")).isFalse();
        assertThatThrownBy(all::ensureHeld).isInstanceOf(LockLostException.class);
        assertThatThrownBy(all::close)
                .isInstanceOf(LockLostException.class)
                .satisfies(loss -> assertThat(loss.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
        allAreFree();
    }

    private void lose(String name) {
        assertThat(locks.lock(name).revokeNow("test")).isTrue();
    }

    /** The first is lost while the call waits for the last. */
    @Test
    void whatIsLostBeforeTheLastIsAcquiredIsAcquiredAnew() throws Exception {
        Lease last = others.lock("c").acquire();
        BackgroundCall<MultiLease> call = BackgroundCall.start(lock::acquire);
        await().until(() -> network.calls(Operation.TRY) > 2);
        call.awaitWaiting();
        lose("a");
        last.close();
        try (MultiLease all = call.get()) {
            all.ensureHeld();
            assertThat(isFree("a")).isFalse();
        }
        allAreFree();
    }

    @Test
    void theReleaseGoesOnAfterAFailure() throws Exception {
        MultiLease all = lock.acquire();
        store.pause();
        assertThatThrownBy(all::release)
                .isInstanceOf(LockReleaseException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .hasExactlyElementsOfTypes(LockReleaseException.class, LockReleaseException.class));
        store.resume();
        await().until(() -> isFree("a") && isFree("b") && isFree("c"));
        assertThat(all.isHeld()).isFalse();
    }

    @Test
    void theRemainingTimeIsTheShortest() throws Exception {
        ManualTicker ticker = new ManualTicker();
        try (LockClient driven = driven(new MemoryStore(ticker), ticker)) {
            MultiLease all = driven.multiLock("a", "b").acquire();
            all.lease("b").extend(Duration.ofMinutes(5));
            assertThat(all.remaining()).isEqualTo(all.lease("a").remaining());
            assertThat(all.remaining()).isLessThan(all.lease("b").remaining());
            all.close();
        }
    }
}
