// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final MemoryBackend backend = new MemoryBackend(store);
    private final List<String> nudged = new ArrayList<>();

    private Claim claim(String owner, boolean waits) {
        return backend.claim(new ClaimRequest("a", owner, owner, LEASE, waits, 0, 1), () -> nudged.add(owner));
    }

    @Test
    void waitersAreServedInOrderAndASingleTryDoesNotOvertake() throws Exception {
        Claim holder = claim("holder", false);
        Claim first = claim("first", true);
        Claim second = claim("second", true);
        assertThat(holder.tryAcquire(CALL)).isTrue();
        assertThat(first.tryAcquire(CALL)).isFalse();
        assertThat(second.tryAcquire(CALL)).isFalse();
        assertThat(second.retryAfter()).contains(LEASE);
        holder.release(CALL);
        assertThat(nudged).containsExactly("first", "second");
        assertThat(claim("barger", false).tryAcquire(CALL)).isFalse();
        assertThat(second.tryAcquire(CALL)).isFalse();
        assertThat(second.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(first.tryAcquire(CALL)).isTrue();
        first.release(CALL);
        assertThat(second.tryAcquire(CALL)).isTrue();
    }

    @Test
    void allDeadWaitersTogetherCostOneGracePeriod() throws Exception {
        Claim holder = claim("holder", false);
        assertThat(holder.tryAcquire(CALL)).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(claim("dead " + i, true).tryAcquire(CALL)).isFalse();
        }
        Claim living = claim("living", true);
        assertThat(living.tryAcquire(CALL)).isFalse();
        holder.release(CALL);
        ticker.advance(Duration.ofMillis(999));
        assertThat(living.tryAcquire(CALL)).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(living.tryAcquire(CALL)).isTrue();
        assertThat(backend.inspect("a", CALL).orElseThrow().waiters()).hasValue(0);
    }

    @Test
    void aHeadThatLeavesNudgesTheNext() throws Exception {
        Claim holder = claim("holder", false);
        Claim first = claim("first", true);
        Claim second = claim("second", true);
        holder.tryAcquire(CALL);
        first.tryAcquire(CALL);
        second.tryAcquire(CALL);
        holder.release(CALL);
        nudged.clear();
        assertThat(first.release(CALL)).isFalse();
        assertThat(nudged).containsExactly("second");
        assertThat(second.tryAcquire(CALL)).isTrue();
    }

    @Test
    void tokensRiseWhileTheClockStandsStill() throws Exception {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            Claim claim = backend.claim(new ClaimRequest("a", "o" + i, "", LEASE, false, 0, 10), () -> {});
            assertThat(claim.tryAcquire(CALL)).isTrue();
            assertThat(claim.fencingToken()).isGreaterThan(i == 0 ? 0 : last + 9);
            last = claim.fencingToken();
            claim.release(CALL);
        }
        assertThat(store.size()).isOne();
        ticker.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 70; i++) {
            backend.claim(new ClaimRequest("b" + i, "o", "", LEASE, false, 0, 1), () -> {})
                    .tryAcquire(CALL);
        }
        Claim claim = claim("next", false);
        assertThat(claim.tryAcquire(CALL)).isTrue();
        assertThat(claim.fencingToken()).isGreaterThan(last + 9);
    }

    @Test
    void tokensStayAboveTheFloorAndOnlyTheOwnerRaisesThem() throws Exception {
        long floor = ClaimRequest.HIGHEST_TOKEN_FLOOR;
        Claim claim = backend.claim(new ClaimRequest("a", "o", "", LEASE, false, floor, 1), () -> {});
        assertThat(claim.tryAcquire(CALL)).isTrue();
        assertThat(claim.fencingToken()).isEqualTo(floor + 1);
        assertThat(claim("stranger", false).raiseToken(floor, CALL)).isFalse();
        assertThat(claim.raiseToken(5, CALL)).isTrue();
        claim.release(CALL);
        Claim next = claim("next", false);
        assertThat(next.tryAcquire(CALL)).isTrue();
        assertThat(next.fencingToken()).isEqualTo(floor + 2);
    }

    @Test
    void aTryThatArrivesAfterTheReleaseGetsNothing() throws Exception {
        LossyBackend network = new LossyBackend(backend, ticker);
        Claim claim = network.claim(new ClaimRequest("a", "o", "", LEASE, true, 0, 1), () -> {});
        network.holdUpNextRequest(LossyBackend.Operation.TRY);
        assertThatThrownBy(() -> claim.tryAcquire(CALL)).isInstanceOf(BackendException.class);
        assertThat(claim.release(CALL)).isFalse();
        assertThat(network.deliverHeldUp()).isOne();
        assertThat(backend.inspect("a", CALL)).isEmpty();
        assertThat(claim("other", false).tryAcquire(CALL)).isTrue();
    }

    @Test
    void reportsWhyALeaseIsLost() throws Exception {
        Claim claim = claim("one", false);
        claim.tryAcquire(CALL);
        store.expire("a");
        assertThat(claim.renew(LEASE, CALL)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.EXPIRED);
        Claim next = claim("two", false);
        next.tryAcquire(CALL);
        store.delete("a");
        assertThat(next.renew(LEASE, CALL)).isFalse();
        assertThat(next.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);
        Claim third = claim("three", false);
        third.tryAcquire(CALL);
        assertThat(backend.revoke("a", "because", true, CALL)).isTrue();
        assertThat(claim("four", false).tryAcquire(CALL)).isTrue();
        assertThat(third.renew(LEASE, CALL)).isFalse();
        assertThat(third.loss().detail()).isEqualTo("because");
        assertThat(third.release(CALL)).isFalse();
    }

    @Test
    void aRenewalSetsTheLeaseThatItIsToldLongerAndShorter() throws Exception {
        Claim holder = claim("holder", false);
        holder.tryAcquire(CALL);
        ticker.advance(Duration.ofSeconds(1));
        assertThat(holder.renew(LEASE.multipliedBy(3), CALL)).isTrue();
        assertThat(backend.inspect("a", CALL).orElseThrow().remaining()).contains(LEASE.multipliedBy(3));
        assertThat(backend.inspect("a", CALL).orElseThrow().heldFor()).isEqualTo(Duration.ofSeconds(1));
        ticker.advance(LEASE.multipliedBy(2));
        assertThat(claim("other", false).tryAcquire(CALL)).isFalse();

        assertThat(holder.renew(Duration.ofMillis(5), CALL)).isTrue();
        ticker.advance(Duration.ofMillis(5));
        assertThat(claim("other", false).tryAcquire(CALL)).isTrue();
    }

    @Test
    void aBatchGivesEachClaimItsOwnLease() throws Exception {
        Claim one = backend.claim(new ClaimRequest("one", "o", "", LEASE, false, 0, 1), () -> {});
        Claim two = backend.claim(new ClaimRequest("two", "o", "", LEASE, false, 0, 1), () -> {});
        one.tryAcquire(CALL);
        two.tryAcquire(CALL);
        assertThat(backend.renewAll(
                        List.of(new Renewal(one, Duration.ofSeconds(1)), new Renewal(two, Duration.ofSeconds(60))),
                        CALL))
                .containsExactly(Answer.YES, Answer.YES);
        assertThat(backend.inspect("one", CALL).orElseThrow().remaining()).contains(Duration.ofSeconds(1));
        assertThat(backend.inspect("two", CALL).orElseThrow().remaining()).contains(Duration.ofSeconds(60));
    }

    @Test
    void aLeaseThatIsMadeShorterNudgesTheWaitersAndOneThatIsNotDoesNot() throws Exception {
        Claim holder = claim("holder", false);
        holder.tryAcquire(CALL);
        claim("first", true).tryAcquire(CALL);
        claim("second", true).tryAcquire(CALL);
        claim("third", true).tryAcquire(CALL);
        ticker.advance(Duration.ofSeconds(1));
        holder.renew(LEASE, CALL);
        assertThat(nudged).isEmpty();
        holder.renew(LEASE.minusNanos(1), CALL);
        assertThat(nudged).containsExactly("first", "second");
    }

    @Test
    void aRevokedClaimHoldsUntilItsLeaseEndsUnlessItWasFreedAtOnce() throws Exception {
        Claim claim = claim("one", false);
        claim.tryAcquire(CALL);
        assertThat(backend.revoke("a", "because", false, CALL)).isTrue();
        assertThat(claim.renew(LEASE, CALL)).isFalse();
        assertThat(claim.holdsUntilLeaseEnds()).isTrue();
        assertThat(claim("other", false).tryAcquire(CALL)).isFalse();
        ticker.advance(LEASE);
        assertThat(claim.renew(LEASE, CALL)).isFalse();
        assertThat(claim.holdsUntilLeaseEnds()).isFalse();

        Claim next = claim("two", false);
        assertThat(next.tryAcquire(CALL)).isTrue();
        assertThat(backend.revoke("a", "at once", true, CALL)).isTrue();
        assertThat(next.renew(LEASE, CALL)).isFalse();
        assertThat(next.holdsUntilLeaseEnds()).isFalse();
        assertThat(claim("three", false).tryAcquire(CALL)).isTrue();
        assertThat(next.renew(LEASE, CALL)).isFalse();
        assertThat(next.holdsUntilLeaseEnds()).isFalse();
    }

    @Test
    void aFrozenStoreDoesNotAnswer() {
        MemoryBackend real = new MemoryBackend(MemoryStore.named("frozen"));
        MemoryStore.named("frozen").pause();
        Claim claim = real.claim(new ClaimRequest("a", "o", "", LEASE, false, 0, 1), () -> {});
        assertThatThrownBy(() -> claim.tryAcquire(Duration.ofMillis(20)))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("20 ms");
        MemoryStore.named("frozen").resume();
        assertThat(real.inspect("a", CALL)).isEmpty();
    }

    @Test
    void aClosedBackendThrowsButItsLocksStay() throws Exception {
        Claim claim = claim("one", false);
        claim.tryAcquire(CALL);
        backend.close();
        assertThatThrownBy(() -> claim.renew(LEASE, CALL)).isInstanceOf(BackendException.class);
        MemoryBackend another = new MemoryBackend(store);
        assertThat(another.inspect("a", CALL)).isPresent();
    }
}
