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
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.BackgroundCall;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease is made longer, or asked to end. */
@Timeout(60)
class ExtendTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration REPLY_DELAY = Duration.ofMillis(500);
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(LEASE);

    private final ManualTicker ticker = new ManualTicker();
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

    private Duration inStore() {
        return others.lock("a").holder().orElseThrow().remaining().orElseThrow();
    }

    @Test
    void anExtendedLeaseLastsSoLongWithoutRenewal() throws Exception {
        Lease lease = locks.lock("a", OPTIONS.withRenewal(false)).acquire();
        assertThat(lease.extend(LONG)).isBetween(LONG.multipliedBy(98).dividedBy(100), LONG);
        assertThat(inStore()).isEqualTo(LONG);
        ticker.advance(LONG.multipliedBy(9).dividedBy(10));
        assertThat(lease.isHeld()).isTrue();
        ticker.advance(LONG.dividedBy(10));
        assertThat(lease.isHeld()).isFalse();
        assertThat(others.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLeaseWithAnExtensionInDoubtIsNotHandedOver() throws Exception {
        LockOptions unrenewed = OPTIONS.withRenewal(false);
        Lease lease = locks.lock("a", unrenewed).acquire();
        CompletableFuture<Lease> next = locks.lock("a", unrenewed).acquireAsync();
        for (int i = 0; i < 1_000; i++) {
            network.loseNextReply(Operation.RENEW);
        }
        FutureTask<Duration> extending = new FutureTask<>(() -> lease.extend(HOUR));
        new Thread(extending).start();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(50));
            return extending.isDone();
        });
        lease.release();
        assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(inStore()).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void anExtensionBeyondMaxHoldIsNoRiskBeforeMaxHoldIsNear() throws Exception {
        List<Duration> atRisk = new CopyOnWriteArrayList<>();
        Lease lease =
                locks.lock("a", OPTIONS.withMaxHold(Duration.ofMinutes(20))).acquire();
        lease.onAtRisk(atRisk::add);
        lease.extend(HOUR);
        ticker.advance(Duration.ofMinutes(20).minusSeconds(9));
        await().until(() -> !atRisk.isEmpty());
        assertThat(atRisk).singleElement().matches(left -> left.compareTo(LEASE.dividedBy(3)) <= 0);
    }

    @Test
    void laterRenewalsKeepToTheExtension() throws Exception {
        Lease lease = locks.lock("a", OPTIONS).acquire();
        lease.extend(LONG);
        long renewals = network.calls(Operation.RENEW);
        ticker.advance(Duration.ofSeconds(205));
        await().until(() -> network.calls(Operation.RENEW) > renewals);
        await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(388)) > 0);
        assertThat(inStore()).isEqualTo(Duration.ofSeconds(395));
        // After the extension the lease has its own length again.
        for (int seconds = 205; seconds < 615; seconds += 5) {
            ticker.advance(Duration.ofSeconds(5));
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(15)) > 0);
        }
        assertThat(inStore()).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void withoutAnAnswerItTellsWhatIsCertain() throws Exception {
        Lease lease = locks.lock("a", OPTIONS).acquire();
        network.loseRandomly(1, 1);
        FutureTask<Duration> extending = new FutureTask<>(() -> lease.extend(LONG));
        Thread thread = new Thread(extending);
        thread.start();
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return extending.isDone();
        });
        assertThat(extending.get()).isLessThan(LEASE);
        assertThat(lease.isHeld()).isTrue();
        network.loseRandomly(0, 1);
        await().until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return lease.remaining().compareTo(LEASE) > 0;
        });
    }

    @Test
    void aRenewalThatMayComeLateLimitsWhatIsCertain() throws Exception {
        Lease lease = locks.lock("a", OPTIONS).acquire();
        network.loseNextReply(Operation.RENEW);
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> network.ended(Operation.RENEW) == 1);
        assertThat(lease.extend(LONG)).isLessThanOrEqualTo(LEASE);
        assertThat(inStore()).isEqualTo(LONG);
        long renewals = network.calls(Operation.RENEW);
        ticker.advance(Duration.ofSeconds(11));
        await().until(() -> network.calls(Operation.RENEW) > renewals);
        await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(29)) > 0);
    }

    @Test
    void aLeaseThatIsOverCannotBeExtended() throws Exception {
        Lease released = locks.lock("a", OPTIONS).acquire();
        released.release();
        assertThatThrownBy(() -> released.extend(LONG)).isInstanceOf(IllegalStateException.class);
        Lease lost = locks.lock("a", OPTIONS).acquire();
        store.delete("a");
        assertThatThrownBy(() -> lost.extend(LONG)).isInstanceOfSatisfying(LockLostException.class, why -> assertThat(
                        why.loss().cause())
                .isEqualTo(LossCause.EVICTED_OR_DELETED));
        Lease held = locks.lock("a", OPTIONS).acquire();
        for (Duration wrong : List.of(Duration.ZERO, LONG.negated(), Duration.ofDays(9_999))) {
            assertThatThrownBy(() -> held.extend(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aHolderThatListensIsAskedToEndAndKeepsItsLeaseToTheEnd() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease lease = locks.lock("a", OPTIONS)
                .acquire()
                .whenRevoked((revoked, reason) -> asked.add(reason + " " + revoked.isHeld()))
                .onLost(loss -> losses.add(loss.cause()));
        assertThat(others.lock("a").revoke("stop, please")).isTrue();
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> asked.equals(List.of("stop, please true")));
        ticker.advance(Duration.ofSeconds(19));
        assertThat(lease.isHeld()).isTrue();
        assertThat(others.lock("a").tryAcquire()).isEmpty();
        ticker.advance(Duration.ofSeconds(1));
        await().until(() -> losses.equals(List.of(LossCause.REVOKED)));
        assertThat(asked).hasSize(1);
    }

    @Test
    void aHolderThatWasAskedLearnsThatTheLockWasFreedAtOnceAfterThat() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease lease = locks.lock("a", OPTIONS)
                .acquire()
                .whenRevoked((revoked, reason) -> asked.add(reason))
                .onLost(loss -> losses.add(loss.cause()));
        assertThat(lease.extend(HOUR)).isGreaterThan(LEASE);
        others.lock("a").revoke("stop, please");
        ticker.advance(Duration.ofMinutes(20));
        await().until(() -> asked.equals(List.of("stop, please")));
        others.lock("a").revokeNow("stop now");
        assertThat(others.lock("a").tryAcquire()).isPresent();
        ticker.advance(Duration.ofMinutes(20));
        await().until(() -> losses.equals(List.of(LossCause.REVOKED)));
        assertThat(lease.isHeld()).isFalse();
        assertThat(asked).hasSize(1);
    }

    @Test
    void aHolderThatIsAskedMayRelease() throws Exception {
        Lease lease = locks.lock("a", OPTIONS).acquire().whenRevoked((revoked, reason) -> revoked.release());
        others.lock("a").revoke("stop, please");
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> others.lock("a").tryAcquire().isPresent());
        assertThat(lease.isHeld()).isFalse();
        lease.close();
    }

    @Test
    void aHolderThatDoesNotListenLosesARevokedLeaseAtOnce() throws Exception {
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        Lease asked = locks.lock("a", OPTIONS).acquire().onLost(loss -> losses.add(loss.cause()));
        Lease now = locks.lock("b", OPTIONS)
                .acquire()
                .whenRevoked((revoked, reason) -> losses.add(LossCause.ABANDONED))
                .onLost(loss -> losses.add(loss.cause()));
        others.lock("a").revoke("stop");
        others.lock("b").revokeNow("stop now");
        ticker.advance(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(losses).containsExactly(LossCause.REVOKED, LossCause.REVOKED));
        assertThat(List.of(asked, now)).noneMatch(Lease::isHeld);
    }

    /** The next caller of the client, which gets the lock from a holder that had extended its lease by far. */
    private Lease afterAnExtension() throws Exception {
        Lease extended = locks.lock("a", OPTIONS).acquire();
        extended.extend(HOUR);
        CompletableFuture<Lease> next = locks.lock("a", OPTIONS).acquireAsync();
        ticker.advance(Duration.ofSeconds(5));
        assertThat(extended.release()).isTrue();
        return next.get(20, TimeUnit.SECONDS);
    }

    @Test
    void theNextCallerOfTheClientGetsALeaseOfItsOwnLengthAfterAnExtendedOne() throws Exception {
        Lease next = afterAnExtension();
        assertThat(next.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
        await().untilAsserted(() -> assertThat(inStore()).isLessThanOrEqualTo(LEASE));
    }

    @Test
    void nobodyElseGetsTheLockWhileTheNextCallerAfterAnExtendedLeaseReliesOnIt() throws Exception {
        Lease next = afterAnExtension();
        for (int i = 0; i < 1_000; i++) {
            network.loseNextReply(Operation.RENEW);
        }
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    ticker.advance(Duration.ofSeconds(15));
                    return others.lock("a").tryAcquire().isPresent();
                });
        assertThat(next.isHeld()).as("held while another client holds it").isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShorterExtensionLaterShortensNothing(boolean renewal) throws Exception {
        Lease lease = locks.lock("a", OPTIONS.withRenewal(renewal)).acquire();
        lease.extend(HOUR);
        ticker.advance(Duration.ofMinutes(1));
        assertThat(lease.extend(Duration.ofMinutes(1))).isGreaterThan(Duration.ofMinutes(58));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(58));
        assertThat(inStore()).isGreaterThan(Duration.ofMinutes(58));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShorterExtensionWithoutAnAnswerShortensNothing(boolean renewal) throws Exception {
        Lease lease = locks.lock("a", OPTIONS.withRenewal(renewal)).acquire();
        lease.extend(HOUR);
        ticker.advance(Duration.ofMinutes(1));
        network.loseNextReply(Operation.RENEW);
        BackgroundCall<Duration> again = BackgroundCall.start(() -> lease.extend(Duration.ofMinutes(1)));
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            ticker.advance(Duration.ofMillis(100));
            return again.isDone();
        });
        assertThat(again.get()).isGreaterThan(Duration.ofMinutes(58));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(58));
        assertThat(inStore()).isGreaterThan(Duration.ofMinutes(58));
    }

    @Test
    void anExtensionBesideARenewalUnderWayIsAskedForAtItsEnd() throws Exception {
        Lease lease = locks.lock("a", OPTIONS).acquire();
        network.delayNextReply(Operation.RENEW, REPLY_DELAY);
        ticker.advance(Duration.ofSeconds(10));
        await().until(() -> network.calls(Operation.RENEW) == 1);
        ticker.awaitParked(2); // the timer, and the renewal
        BackgroundCall<Duration> extending = BackgroundCall.start(() -> lease.extend(LONG));
        ticker.awaitParked(3);
        ticker.advance(REPLY_DELAY);
        assertThat(extending.get()).isBetween(LONG.multipliedBy(98).dividedBy(100), LONG);
        assertThat(inStore()).isGreaterThanOrEqualTo(LONG.minus(REPLY_DELAY));
    }

    @Test
    void withoutRenewalAnExtensionBesideAnotherUnderWayIsAskedForAtItsEnd() throws Exception {
        Lease lease = locks.lock("a", OPTIONS.withRenewal(false)).acquire();
        network.delayNextReply(Operation.RENEW, REPLY_DELAY);
        BackgroundCall<Duration> first = BackgroundCall.start(() -> lease.extend(Duration.ofSeconds(20)));
        await().until(() -> network.calls(Operation.RENEW) == 1);
        ticker.awaitParked(3); // the timer, the renewal, and the first caller
        BackgroundCall<Duration> second = BackgroundCall.start(() -> lease.extend(Duration.ofSeconds(60)));
        ticker.awaitParked(4);
        ticker.advance(REPLY_DELAY);
        assertThat(first.get()).isGreaterThanOrEqualTo(Duration.ofSeconds(19));
        await().untilAsserted(() -> assertThat(inStore()).isGreaterThan(Duration.ofSeconds(59)));
        assertThat(second.get()).isGreaterThan(Duration.ofSeconds(58));
    }
}
