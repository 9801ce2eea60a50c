// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HandOverTest {
    private static final LockOptions THREE_IN_A_ROW = LockOptions.defaults().withLocalHandOvers(3);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store), ticker);
    private final LockClient locks = LockClient.builder(network).ticker(ticker).build();

    @AfterEach
    void close() {
        locks.close();
    }

    private List<CompletableFuture<Lease>> waiters(int count, LockOptions options) {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiters.add(locks.lock("a", options).acquireAsync());
        }
        return waiters;
    }

    @Test
    void theNextWaiterGetsItsOwnTokenWithoutTheStore() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(3, THREE_IN_A_ROW);
        long token = first.fencingToken();
        Lease current = first;
        for (CompletableFuture<Lease> waiter : waiters) {
            current.close();
            current = waiter.get();
            assertThat(current.fencingToken()).isEqualTo(++token);
            assertThat(current.isHeld()).isTrue();
        }
        assertThat(first.isHeld()).isFalse();
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
        assertThat(network.calls(Operation.RELEASE)).isZero();
        current.close();
        assertThat(network.calls(Operation.RELEASE)).isEqualTo(1);
    }

    @Test
    void theStoreIsAskedAfterTheLastHandOverAndTokensStillRise() throws Exception {
        Lease current = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(8, THREE_IN_A_ROW);
        for (CompletableFuture<Lease> waiter : waiters) {
            long before = current.fencingToken();
            current.close();
            current = waiter.get();
            assertThat(current.fencingToken()).isGreaterThan(before);
        }
        assertThat(network.calls(Operation.TRY)).isEqualTo(3);
    }

    @Test
    void aWaiterWithOtherOptionsAsksTheStore() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiter =
                waiters(1, THREE_IN_A_ROW.withLease(Duration.ofSeconds(7))).get(0);
        first.close();
        assertThat(waiter.get().remaining()).isLessThan(Duration.ofSeconds(7));
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aLeaseThatForbidsHandOverIsReleasedAtTheStore() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(2, THREE_IN_A_ROW);
        first.forbidHandOver();
        first.close();
        Lease second = waiters.get(0).get();
        assertThat(network.calls(Operation.RELEASE)).isEqualTo(1);
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
        second.close();
        assertThat(waiters.get(1).get().isHeld())
                .as("the next row of hand-overs is free again")
                .isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
        assertThatThrownBy(first::forbidHandOver).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLeaseThatTheStoreHasNotConfirmedLatelyIsNotHandedOver() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(2, THREE_IN_A_ROW);
        ticker.advance(Duration.ofMillis(199));
        first.close();
        Lease second = waiters.get(0).get();
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
        ticker.advance(Duration.ofMillis(1));
        second.close();
        assertThat(waiters.get(1).get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aSuspendedHostHandsNothingOver() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiter = waiters(1, THREE_IN_A_ROW).get(0);
        ticker.suspend(Duration.ofSeconds(1));
        first.close();
        assertThat(waiter.get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aLeaseThatIsHalfOverIsNotHandedOver() throws Exception {
        LockOptions options = THREE_IN_A_ROW.withRenewal(false);
        Lease first = locks.lock("a", options).acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiter = waiters(1, options).get(0);
        ticker.advance(Duration.ofSeconds(15));
        first.close();
        assertThat(waiter.get().remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aFairStoreIsAskedAfterThirtyOneHandOversByDefault() throws Exception {
        Lease current = locks.lock("a").acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(32, LockOptions.defaults());
        for (CompletableFuture<Lease> waiter : waiters.subList(0, 31)) {
            current.close();
            current = waiter.get();
        }
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
        current.close();
        assertThat(waiters.get(31).get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    /** So long others wait who came before, whoever has the lock meanwhile. */
    @Test
    void aFairStoreIsAskedFiveMillisecondsAfterTheGrantByDefault() throws Exception {
        Lease first = locks.lock("a").acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(3, LockOptions.defaults());
        ticker.advance(Duration.ofMillis(4));
        first.close();
        Lease second = waiters.get(0).get();
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
        ticker.advance(Duration.ofMillis(1));
        second.close();
        Lease third = waiters.get(1).get();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
        third.close();
        assertThat(waiters.get(2).get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    /** Whoever sets a number has decided how often others are passed over. */
    @Test
    void withANumberOfHandOversTimeDoesNotCount() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiter = waiters(1, THREE_IN_A_ROW).get(0);
        ticker.advance(Duration.ofMillis(100));
        first.close();
        assertThat(waiter.get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
    }

    @Test
    void withNoHandOversTheStoreIsAskedEachTime() throws Exception {
        LockOptions strict = LockOptions.defaults().withLocalHandOvers(0);
        Lease first = locks.lock("a", strict).acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiter = waiters(1, strict).get(0);
        first.close();
        assertThat(waiter.get().isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(2);
    }

    @Test
    void aCancelledWaiterIsPassedOver() throws Exception {
        Lease first = locks.lock("a", THREE_IN_A_ROW).acquire();
        ticker.awaitParked(1);
        List<CompletableFuture<Lease>> waiters = waiters(2, THREE_IN_A_ROW);
        waiters.get(0).cancel(true);
        first.close();
        assertThat(waiters.get(1).get().isHeld()).isTrue();
    }
}
