// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.mortise.lock.LockHolder;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DualBackendTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration AMPLE = Duration.ofSeconds(10);

    private final MemoryStore oldStore = MemoryStore.named("old " + UUID.randomUUID());
    private final MemoryStore newStore = MemoryStore.named("new " + UUID.randomUUID());
    private final LockBackend old = new MemoryBackend(oldStore);
    private final LockBackend young = new MemoryBackend(newStore);
    private final DualBackend dual = new DualBackend(new MemoryBackend(oldStore), new MemoryBackend(newStore));

    @AfterEach
    void close() {
        dual.close();
        young.close();
        old.close();
    }

    @Test
    void whoeverHoldsInOneStoreKeepsItFromAPair() throws InterruptedException {
        for (LockBackend one : List.of(old, young)) {
            Claim holder = granted(one);

            assertThat(claim(dual).tryAcquire(AMPLE)).isFalse();

            holder.release(AMPLE);
            granted(dual).release(AMPLE);
        }
    }

    @Test
    void aPairKeepsItFromWhoeverAsksInOneStore() throws InterruptedException {
        Claim holder = granted(dual);

        assertThat(claim(old).tryAcquire(AMPLE)).isFalse();
        assertThat(claim(young).tryAcquire(AMPLE)).isFalse();
        assertThat(claim(dual).tryAcquire(AMPLE)).isFalse();

        assertThat(holder.release(AMPLE)).isTrue();
        granted(old);
        granted(young);
    }

    @Test
    void aRefusedTryLeavesNothingAndMayBeRepeated() throws InterruptedException {
        Claim holder = granted(young);
        Claim refused = claim(dual);
        for (int i = 0; i < 3; i++) {
            assertThat(refused.tryAcquire(AMPLE)).isFalse();
            assertThat(old.inspect("lock", AMPLE)).isEmpty();
        }

        holder.release(AMPLE);

        assertThat(refused.tryAcquire(AMPLE)).isTrue();
        assertThat(refused.release(AMPLE)).isTrue();
    }

    /** Those who hold in the old store alone come after it, and find nobody in the new one. */
    @Test
    void whoeverWaitsForTheNewHalfKeepsTheOldOne() throws InterruptedException {
        Claim holder = granted(young);
        Claim waiting = dual.claim(request(true), () -> {});

        assertThat(waiting.tryAcquire(AMPLE)).isFalse();
        assertThat(waiting.retryAfter()).isPresent();
        assertThat(claim(old).tryAcquire(AMPLE)).isFalse();

        holder.release(AMPLE);
        assertThat(waiting.tryAcquire(AMPLE)).isTrue();
        assertThat(waiting.release(AMPLE)).isTrue();
    }

    @Test
    void tokensRiseAcrossTheStores() throws InterruptedException {
        long last = 0;
        for (int round = 0; round < 3; round++) {
            for (LockBackend next : List.of(old, dual, young, dual)) {
                Claim holder = next.claim(request(false, 3), () -> {});
                assertThat(holder.tryAcquire(AMPLE)).isTrue();
                // The new store alone is told a floor by the register: here it has seen the lock in a pair.
                assertThat(holder.fencingToken()).as(next.toString()).isGreaterThan(last);
                last = holder.fencingToken() + 2;
                holder.release(AMPLE);
            }
        }
    }

    @Test
    void tokensAboveTheGreatestFloorRise() throws InterruptedException {
        raise(old, ClaimRequest.HIGHEST_TOKEN_FLOOR + 1000);

        Claim holder = granted(dual);

        assertThat(holder.fencingToken()).isGreaterThan(ClaimRequest.HIGHEST_TOKEN_FLOOR + 1000);
        holder.release(AMPLE);
        assertThat(granted(old).fencingToken()).isGreaterThan(holder.fencingToken());
    }

    @Test
    void tokensThatCannotRiseInBothStoresAreRefused() throws InterruptedException {
        raise(old, ClaimRequest.HIGHEST_RAISED_TOKEN);
        Claim claim = claim(dual);

        assertThatThrownBy(() -> claim.tryAcquire(AMPLE))
                .isInstanceOfSatisfying(BackendException.class, refusal -> assertThat(refusal.kind())
                        .isEqualTo(BackendException.Kind.REFUSED))
                .hasMessageContaining("hold it in one of them");
        assertThat(old.inspect("lock", AMPLE)).isEmpty();
        assertThat(young.inspect("lock", AMPLE)).isEmpty();
    }

    private static void raise(LockBackend backend, long token) throws InterruptedException {
        Claim claim = granted(backend);
        assertThat(claim.raiseToken(token, AMPLE)).isTrue();
        claim.release(AMPLE);
    }

    @Test
    void aHolderIsShownWithItsToken() throws InterruptedException {
        Claim holder = granted(dual);

        assertThat(dual.inspect("lock", AMPLE))
                .hasValueSatisfying(shown -> assertThat(shown.fencingToken()).isEqualTo(holder.fencingToken()));
        assertThat(dual.list("", "", 10, AMPLE))
                .extracting(LockHolder::lock, LockHolder::fencingToken)
                .containsExactly(tuple("lock", holder.fencingToken()));
    }

    @Test
    void aRepeatedTryKeepsItsToken() throws InterruptedException {
        Claim holder = granted(dual);
        long token = holder.fencingToken();

        assertThat(holder.tryAcquire(AMPLE)).isTrue();
        assertThat(holder.fencingToken()).isEqualTo(token);
    }

    @Test
    void theLossOfOneHalfIsTheLossOfTheLease() throws InterruptedException {
        for (MemoryStore store : List.of(oldStore, newStore)) {
            Claim holder = granted(dual);
            Claim other = dual.claim(new ClaimRequest("other", owner(), "", LEASE, false, 0, 1), () -> {});
            assertThat(other.tryAcquire(AMPLE)).isTrue();
            store.delete("lock");

            List<Answer> answers = dual.renewAll(List.of(new Renewal(holder, LEASE), new Renewal(other, LEASE)), AMPLE);

            assertThat(answers).containsExactly(Answer.NO, Answer.YES);
            assertThat(holder.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);
            assertThat(holder.renew(LEASE, AMPLE)).isFalse();
            assertThat(holder.release(AMPLE)).isFalse();
            assertThat(other.release(AMPLE)).isTrue();
            granted(dual).release(AMPLE);
        }
    }

    @Test
    void itTellsWhatBothStoresCan() {
        assertThat(dual.features()).contains(Feature.FENCED, Feature.LISTABLE).doesNotContain(Feature.REVOCABLE);
        assertThat(dual.safetyLevel()).isEqualTo(old.safetyLevel());
        assertThat(dual.fencingStrength()).isEqualTo(old.fencingStrength());
        assertThat(dual.leaseBounds()).isEqualTo(old.leaseBounds());
    }

    private static Claim granted(LockBackend backend) throws InterruptedException {
        Claim claim = claim(backend);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        return claim;
    }

    private static Claim claim(LockBackend backend) {
        return backend.claim(request(false), () -> {});
    }

    private static ClaimRequest request(boolean waits) {
        return new ClaimRequest("lock", owner(), "", LEASE, waits, 0, 1);
    }

    private static ClaimRequest request(boolean waits, int tokens) {
        return new ClaimRequest("lock", owner(), "", LEASE, waits, 0, tokens);
    }

    private static String owner() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
