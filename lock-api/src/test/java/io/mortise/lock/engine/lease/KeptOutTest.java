// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.BackgroundCall;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Others are kept out of a lock for a while after its holder has gone: {@code minHold} and {@code lockDelay}. */
@Timeout(60)
class KeptOutTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));
    private static final LockOptions AT_LEAST = OPTIONS.withMinHold(Duration.ofSeconds(10));
    private static final LockOptions LONG_AT_LEAST = OPTIONS.withMinHold(Duration.ofMinutes(5));
    private static final LockOptions DELAYED = OPTIONS.withLockDelay(Duration.ofSeconds(20));

    private final ManualTicker ticker = new ManualTicker();
    private final long begin = ticker.nanos();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store), ticker);
    private final LockClient locks = LockClient.builder(network).ticker(ticker).build();
    private final LockClient others =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    /** From now on the store receives nothing from the client, so that what it keeps does not depend on when. */
    private void cutOff() {
        for (int i = 0; i < 1_000; i++) {
            network.loseNextRequest(Operation.RENEW);
            network.loseNextRequest(Operation.RELEASE);
        }
    }

    private boolean isFree() {
        Optional<Lease> lease = others.lock("a", OPTIONS).tryAcquire();
        lease.ifPresent(Lease::release);
        return lease.isPresent();
    }

    @Test
    void anEarlyReleaseKeepsTheLockForTheRestOfMinHold() throws Exception {
        Lease lease = locks.lock("a", AT_LEAST).acquire();
        ticker.advance(Duration.ofSeconds(4));
        assertThat(lease.release()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(others.lock("a").holder().orElseThrow().remaining()).contains(Duration.ofSeconds(6));
        ticker.advance(Duration.ofMillis(5_999));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aReleaseBeforeMinHoldIsARightOneAfterARevocation() throws Exception {
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        Lease lease = locks.lock("a", AT_LEAST).acquire().onLost(loss -> lost.complete(loss.cause()));
        assertThat(others.lock("a").revoke("stop")).isTrue();
        ticker.advance(Duration.ofSeconds(4));
        assertThat(lease.release()).isTrue();
        lease.close();
        assertThat(lost).isNotDone();
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofSeconds(26));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aHolderThatHeardOfARevocationMayReleaseBeforeMinHold() throws Exception {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        Lease lease = locks.lock("a", LONG_AT_LEAST)
                .acquire()
                .whenRevoked((revoked, reason) -> released.complete(revoked.release()));
        assertThat(others.lock("a").revoke("stop")).isTrue();
        ticker.advance(Duration.ofSeconds(10));
        assertThat(released.get(20, TimeUnit.SECONDS)).isTrue();
        lease.close();
    }

    @Test
    void aCallThatTheCloseOfItsClientCutOffKeepsNobodyOut() throws Exception {
        network.delayNextReply(Operation.TRY, Duration.ofMillis(500));
        BackgroundCall<Lease> call = BackgroundCall.start(locks.lock("a", LONG_AT_LEAST)::acquire);
        ticker.awaitParked(1);
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(locks::close);
        closing.awaitWaiting();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return closing.isDone();
        });
        assertThat(call.failure()).isInstanceOf(LockClosedException.class);
        assertThat(isFree()).isTrue();
    }

    /** Its store keeps a lock for 20 s at least: it is let go of in time, unless its client is closed before. */
    private LockClient coarse() {
        LockBackend coarse = new ForwardingBackend(new MemoryBackend(store)) {
            @Override
            public LeaseBounds leaseBounds() {
                return new LeaseBounds(Duration.ofSeconds(20), LeaseBounds.WIDEST.longest());
            }
        };
        return LockClient.builder(coarse).ticker(ticker).build();
    }

    @Test
    void minHoldThatIsShorterThanAllLeasesOfTheStoreEndsInTime() throws Exception {
        try (LockClient client = coarse()) {
            assertThat(client.lock("a", AT_LEAST).acquire().release()).isTrue();
            ticker.advance(Duration.ofMillis(9_999));
            assertThat(isFree()).isFalse();
            ticker.advance(Duration.ofMillis(1));
            await().until(this::isFree);
            assertThat(Duration.ofNanos(ticker.nanos() - begin)).isEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void aClientIsClosedBeforeMinHoldIsOver() throws Exception {
        LockClient client = coarse();
        assertThat(client.lock("a", AT_LEAST).acquire().release()).isTrue();
        client.close();
        ticker.advance(Duration.ofSeconds(10));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofSeconds(10));
        assertThat(isFree()).isTrue();
    }

    @Test
    void minHoldOutlivesTheClient() throws Exception {
        locks.lock("a", AT_LEAST).run(lease -> ticker.advance(Duration.ofMillis(10)));
        locks.close();
        ticker.advance(Duration.ofSeconds(9));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aReleaseAfterMinHoldFreesTheLockAtOnce() throws Exception {
        Lease lease = locks.lock("a", AT_LEAST).acquire();
        ticker.advance(Duration.ofSeconds(10));
        lease.close();
        assertThat(isFree()).isTrue();
    }

    @Test
    void minHoldBeyondTheLeaseIsKeptForAHolderThatDied() throws Exception {
        LockOptions longer = OPTIONS.withMinHold(Duration.ofMinutes(5)).withRenewal(false);
        Lease lease = locks.lock("a", longer).acquire();
        cutOff();
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(30));
        ticker.advance(Duration.ofSeconds(299));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    void minHoldKeepsOutCallersOfTheSameClientToo() throws Exception {
        Lease lease = locks.lock("a", AT_LEAST).acquire();
        CompletableFuture<Lease> next = locks.lock("a", AT_LEAST).acquireAsync();
        lease.close();
        ticker.advance(Duration.ofMillis(9_999));
        assertThat(next).isNotDone();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(50));
            return next.isDone();
        });
        assertThat(next.get().isHeld()).isTrue();
    }

    @Test
    void minHoldOfTheNextCallerOfTheSameClientBeginsInTheStoreWithItsGrant() throws Exception {
        Lease lease = locks.lock("a", LONG_AT_LEAST).acquire();
        CompletableFuture<Lease> next = locks.lock("a", LONG_AT_LEAST).acquireAsync();
        for (int i = 0; i < 60; i++) {
            ticker.advance(Duration.ofSeconds(5));
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(15)) > 0);
        }
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return lease.remaining().compareTo(Duration.ofSeconds(28)) > 0;
        });
        lease.close();
        assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(others.lock("a").holder().orElseThrow().remaining()).contains(Duration.ofMinutes(5));
    }

    @Test
    void aLockThatNoCallerGotIsNotKept() throws Exception {
        network.delayNextReply(Operation.TRY, Duration.ofMillis(100));
        CompletableFuture<Lease> cancelled = locks.lock("a", AT_LEAST).acquireAsync();
        await().until(() -> others.lock("a").holder().isPresent());
        cancelled.cancel(true);
        await().until(() -> {
            ticker.advance(Duration.ofMillis(10));
            return isFree();
        });
        assertThat(ticker.nanos() - begin).isLessThan(Duration.ofSeconds(5).toNanos());
    }

    @Test
    void aGrantThatWasGivenUpIsReleasedHoweverLongTheStoreWouldKeepIt() throws Exception {
        network.loseNextReply(Operation.TRY);
        CompletableFuture<Optional<Lease>> call = locks.lock("a", LONG_AT_LEAST).tryAcquireAsync(Duration.ZERO);
        await().until(() -> others.lock("a").holder().isPresent());
        store.pause();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return call.isCompletedExceptionally();
        });
        ticker.advance(Duration.ofMinutes(2));
        long tries = network.calls(Operation.RELEASE);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            ticker.advance(Duration.ofMillis(500));
            return network.calls(Operation.RELEASE) > tries + 1;
        });
        store.resume();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return isFree();
        });
        assertThat(ticker.nanos() - begin).isLessThan(Duration.ofMinutes(5).toNanos());
    }

    @Test
    void anUnansweredReleaseKeepsMinHoldInTheBackground() throws Exception {
        Lease lease = locks.lock("a", AT_LEAST).acquire();
        for (int i = 0; i < 3; i++) {
            network.loseNextRequest(Operation.RENEW);
        }
        assertThatThrownBy(lease::close).isInstanceOf(LockReleaseException.class);
        await().until(() -> others.lock("a")
                        .holder()
                        .orElseThrow()
                        .remaining()
                        .orElseThrow()
                        .compareTo(Duration.ofSeconds(10))
                <= 0);
        ticker.advance(Duration.ofSeconds(10));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aCleanReleaseHasNoDelay() throws Exception {
        locks.lock("a", DELAYED).acquire().close();
        assertThat(isFree()).isTrue();
    }

    @Test
    void theHolderReliesOnTheLeaseAndTheStoreKeepsTheDelayToo() throws Exception {
        Lease lease = locks.lock("a", DELAYED.withRenewal(false)).acquire();
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(30));
        cutOff();
        ticker.advance(Duration.ofSeconds(30));
        assertThat(lease.isHeld()).isFalse();
        ticker.advance(Duration.ofMillis(19_999));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aRenewedLeaseKeepsItsDelay() throws Exception {
        Lease lease = locks.lock("a", DELAYED).acquire();
        for (int i = 0; i < 20; i++) {
            ticker.advance(Duration.ofSeconds(5));
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(15)) > 0);
        }
        assertThat(others.lock("a").holder().orElseThrow().remaining().orElseThrow())
                .isGreaterThan(lease.remaining().plusSeconds(20));
    }

    @Test
    void aClientThatIsClosedWhileItHoldsLeavesTheDelay() throws Exception {
        Lease lease = locks.lock("a", DELAYED).acquire();
        locks.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(others.lock("a").holder().orElseThrow().remaining()).contains(Duration.ofSeconds(20));
        ticker.advance(Duration.ofSeconds(20));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aHolderThatReachedMaxHoldLeavesTheDelay() throws Exception {
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease lease =
                locks.lock("a", DELAYED.withMaxHold(Duration.ofSeconds(3))).acquire();
        lease.onLost(loss -> losses.add(loss.cause()));
        ticker.advance(Duration.ofSeconds(3));
        await().until(() -> losses.equals(List.of(LossCause.MAX_HOLD_REACHED)));
        await().until(() ->
                others.lock("a").holder().orElseThrow().remaining().equals(Optional.of(Duration.ofSeconds(20))));
        ticker.advance(Duration.ofSeconds(20));
        assertThat(isFree()).isTrue();
    }

    @Test
    void revokingAtOnceFreesALockInSpiteOfBoth() throws Exception {
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease lease =
                locks.lock("a", DELAYED.withMinHold(Duration.ofMinutes(5))).acquire();
        lease.onLost(loss -> losses.add(loss.cause()));
        assertThat(others.lock("a").revokeNow("the host is gone")).isTrue();
        assertThat(isFree()).isTrue();
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> losses.equals(List.of(LossCause.REVOKED)));
        locks.close();
        assertThat(isFree()).isTrue();
    }

    @Test
    void aRevokedLockIsKeptUntilTheLeaseInTheStoreEnds() throws Exception {
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease lease = locks.lock("a", DELAYED).acquire();
        lease.onLost(loss -> losses.add(loss.cause()));
        assertThat(others.lock("a").revoke("make room")).isTrue();
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> losses.equals(List.of(LossCause.REVOKED)));
        locks.close();
        ticker.advance(Duration.ofMillis(39_999));
        assertThat(isFree()).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aStoreThatKeepsNothingOfAHolderThatHasGoneRefusesBoth() {
        LockBackend sessions = new ForwardingBackend(new MemoryBackend(store)) {
            @Override
            public LeaseBounds leaseBounds() {
                return new LeaseBounds(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(10));
            }
        };
        try (LockClient client = LockClient.builder(sessions).build()) {
            assertThatThrownBy(() -> client.lock("a", AT_LEAST))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("minHold");
            assertThatThrownBy(() -> client.lock("a", DELAYED)).isInstanceOf(LockConfigurationException.class);
        }
        LockOptions tooLong = OPTIONS.withLockDelay(Duration.ofDays(4_000));
        assertThatThrownBy(() -> locks.lock("a", tooLong))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lockDelay");
    }

    static Stream<LockOptions> hugeOptions() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        return Stream.of(
                OPTIONS.withLockDelay(huge),
                OPTIONS.withMinHold(huge),
                DELAYED.withMinHold(huge).withLockDelay(huge));
    }

    @ParameterizedTest
    @MethodSource("hugeOptions")
    void timesThatNoClockCanCountAreRefusedAsTooLong(LockOptions huge) {
        assertThatThrownBy(() -> locks.lock("a", huge)).isInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() -> LockClient.builder(new MemoryBackend(store))
                        .options(huge)
                        .build())
                .isInstanceOf(LockConfigurationException.class);
    }
}
