// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HeldLeaseTest {
    /** Listeners fail here on purpose; held, so that the level is not forgotten. */
    private static final Logger FAILING_LISTENERS = Logger.getLogger("io.mortise.lock.engine.local.EventDispatcher");

    static {
        FAILING_LISTENERS.setLevel(Level.OFF);
    }

    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store), ticker);
    private final LockClient locks = LockClient.builder(network).ticker(ticker).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final List<Duration> risks = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        store.resume();
        locks.close();
        other.close();
    }

    private Lease hold(LockOptions options) throws InterruptedException {
        return locks.lock("a", options).acquire().onAtRisk(risks::add).onLost(losses::add);
    }

    @Test
    void isRenewedForAsLongAsItIsHeld() throws Exception {
        Lease lease = hold(OPTIONS);
        long token = lease.fencingToken();
        for (int i = 0; i < 30; i++) {
            long before = network.calls(Operation.RENEW);
            ticker.advance(Duration.ofSeconds(10));
            await().until(() -> network.calls(Operation.RENEW) > before);
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(25)) > 0);
        }
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.fencingToken()).isEqualTo(token);
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        assertThat(lease.release()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(risks).isEmpty();
    }

    @Test
    void renewalStopsWithTheRelease() throws Exception {
        hold(OPTIONS).close();
        ticker.advance(Duration.ofSeconds(60));
        Lease next = other.lock("a").acquire();
        assertThat(network.calls(Operation.RENEW)).isZero();
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void isNotHeldPastItsEnd() throws Exception {
        Lease lease = hold(OPTIONS.withRenewal(false));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(29_698));
        ticker.advance(Duration.ofMillis(29_697));
        assertThat(lease.isHeld()).isTrue();
        ticker.advance(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("EXPIRED");
        await().untilAsserted(() -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED));
    }

    @Test
    void aHungStoreCausesRiskThenLoss() throws Exception {
        Lease lease = hold(OPTIONS);
        store.pause();
        ticker.advance(Duration.ofSeconds(20));
        await().untilAsserted(() -> assertThat(risks).hasSize(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        ticker.advance(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED));
        assertThat(lease.isHeld()).isFalse();
        store.resume();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isFalse();
    }

    @Test
    void survivesUnansweredRenewalsWithinTheLease() throws Exception {
        Lease lease = hold(OPTIONS);
        network.loseNextRequest(Operation.RENEW);
        network.loseNextReply(Operation.RENEW);
        network.loseNextRequest(Operation.RENEW);
        ticker.advance(Duration.ofSeconds(10));
        for (int calls = 1; calls < 4; calls++) {
            int answered = calls;
            await().until(() -> network.ended(Operation.RENEW) >= answered);
            ticker.advance(Duration.ofSeconds(4));
        }
        await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(25)) > 0);
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void deletionIsNoticedAtTheNextRenewal() throws Exception {
        Lease lease = hold(OPTIONS);
        store.delete("a");
        ticker.advance(Duration.ofSeconds(10));
        await().untilAsserted(
                        () -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EVICTED_OR_DELETED));
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        lease.close();
    }

    @Test
    void aRevokedHolderLearnsTheReasonAndKeepsTheLockForItsLease() throws Exception {
        Lease lease = hold(OPTIONS);
        ticker.advance(Duration.ofSeconds(1));
        assertThat(other.lock("a").revoke("maintenance")).isTrue();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        ticker.advance(Duration.ofSeconds(9));
        await().untilAsserted(() -> assertThat(losses).containsExactly(new Loss(LossCause.REVOKED, "maintenance")));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aTakeOverIsALoss() throws Exception {
        Lease lease = hold(OPTIONS);
        other.lock("a").revokeNow("stuck");
        Lease next = other.lock("a").acquire();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        ticker.advance(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(losses).hasSize(1));
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void maxHoldEndsTheLeaseAndFreesTheLock() throws Exception {
        Lease lease = hold(OPTIONS.withMaxHold(Duration.ofSeconds(25)));
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> network.ended(Operation.RENEW) == 1);
        ticker.advance(Duration.ofSeconds(12));
        await().untilAsserted(() -> assertThat(risks).hasSize(1));
        ticker.advance(Duration.ofSeconds(3));
        await().untilAsserted(
                        () -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.MAX_HOLD_REACHED));
        assertThat(lease.isHeld()).isFalse();
        await().until(() -> other.lock("a").tryAcquire().isPresent());
    }

    @Test
    void aLeaseIsAtRiskWhenAnEighthOfAMaxHoldIsLeftThatIsShorterThanTheLease() throws Exception {
        Lease lease = hold(OPTIONS.withMaxHold(Duration.ofSeconds(8)));
        ticker.advance(Duration.ofMillis(6_900));
        lease.ensureHeld();
        ticker.advance(Duration.ofMillis(200));
        // How much was left tells when it was noticed: not before.
        await().untilAsserted(() -> assertThat(risks).containsExactly(Duration.ofMillis(900)));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aHostThatSleptHoldsNothing() throws Exception {
        Lease lease = hold(OPTIONS);
        ticker.suspend(Duration.ofSeconds(31));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aSmallStepOfTheWallClockDoesNothing() throws Exception {
        Lease lease = hold(OPTIONS);
        ticker.suspend(Duration.ofMillis(20));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(29_698));
        ticker.suspend(Duration.ofHours(-1));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(29_698));
    }

    @Test
    void aReleaseThatNobodyWaitsForAnyMoreEndsAsItDoes() throws Exception {
        Lease lease = hold(OPTIONS.withRenewal(false));
        store.pause();
        FutureTask<Boolean> releasing = new FutureTask<>(lease::release);
        new Thread(releasing).start();
        await().until(() -> !lease.isHeld());
        ticker.advance(Duration.ofSeconds(10));
        store.expire("a");
        store.resume();
        assertThat(releasing.get()).isFalse();
        assertThat(lease.release()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void anUnansweredReleaseThrowsAndGoesOnInTheBackground() throws Exception {
        Lease lease = hold(OPTIONS);
        for (int i = 0; i < 3; i++) {
            network.loseNextRequest(Operation.RELEASE);
        }
        assertThatThrownBy(lease::close)
                .isInstanceOf(LockReleaseException.class)
                .hasMessageContaining("'a'");
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::release).isInstanceOf(LockReleaseException.class);
        await().until(() -> other.lock("a").tryAcquire().isPresent());
        assertThat(losses).isEmpty();
    }

    @Test
    void aReleaseWhoseReplyWasLostReturnsTrue() throws Exception {
        Lease lease = hold(OPTIONS);
        network.loseNextReply(Operation.RELEASE);
        assertThat(lease.release()).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isPresent();
        assertThat(losses).isEmpty();
    }

    @Test
    void aStaleReleaseDoesNotTouchTheNextHolder() throws Exception {
        Lease lease = hold(OPTIONS.withRenewal(false));
        ticker.advance(Duration.ofSeconds(30));
        Lease next = other.lock("a").acquire();
        assertThat(lease.release()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(locks.lock("a").tryAcquire()).isEmpty();
    }

    @Test
    void aHungRenewalDoesNotDelayTheRelease() throws Exception {
        Lease lease = hold(OPTIONS);
        network.delayNextReply(Operation.RENEW, Duration.ofHours(1));
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> network.calls(Operation.RENEW) == 1);
        Thread releaser = new Thread(lease::close);
        releaser.start();
        while (releaser.isAlive()) {
            ticker.advance(Duration.ofMillis(1));
        }
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void lateListenersAreToldAtOnceAndThrowingOnesStopNoOther() throws Exception {
        Lease lease = hold(OPTIONS.withRenewal(false));
        CountDownLatch stuck = new CountDownLatch(1);
        lease.onLost(loss -> {
            throw new IllegalStateException("a listener's own mistake");
        });
        lease.onLost(loss -> {
            try {
                stuck.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        lease.onLost(loss -> lease.release());
        ticker.advance(Duration.ofSeconds(30));
        await().untilAsserted(() -> assertThat(losses).hasSize(1));
        lease.onLost(losses::add);
        await().untilAsserted(() -> assertThat(losses).hasSize(2));
        stuck.countDown();
    }

    @Test
    @SuppressWarnings("UnusedVariable")
    void aDroppedLeaseIsNoLongerRenewed() throws Exception {
        locks.lock("a", OPTIONS).acquire();
        await().atMost(Duration.ofSeconds(15)).until(() -> {
            System.gc();
            ticker.advance(Duration.ofSeconds(10));
            return other.lock("a").tryAcquire().isPresent();
        });
    }

    @Test
    void aListenerThatComesAfterTheRiskBeganIsToldWhatIsStillLeft() throws Exception {
        Lease lease = hold(OPTIONS.withRenewal(false));
        ticker.advance(Duration.ofSeconds(21));
        await().untilAsserted(() -> assertThat(risks).hasSize(1));
        ticker.advance(Duration.ofSeconds(5));
        List<Duration> late = new CopyOnWriteArrayList<>();
        lease.onAtRisk(late::add);
        await().untilAsserted(() -> assertThat(late).hasSize(1));
        assertThat(late.get(0)).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(4));
    }
}
