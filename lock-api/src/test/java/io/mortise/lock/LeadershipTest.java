// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of several is the leader, and another one when it ends. */
@Timeout(60)
class LeadershipTest {
    private static final Duration AMPLE = Duration.ofSeconds(20);
    private static final LockOptions BRIEF = LockOptions.defaults().withLease(Duration.ofSeconds(1));
    private static final LockOptions LASTING = BRIEF.withLease(AMPLE);

    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final List<LockClient> clients = new ArrayList<>();
    private final List<Leadership> candidates = new ArrayList<>();
    private final AtomicInteger leaders = new AtomicInteger();
    private final AtomicInteger mostLeaders = new AtomicInteger();
    private final AtomicInteger terms = new AtomicInteger();

    @AfterEach
    void close() {
        store.resume();
        candidates.forEach(Leadership::close);
        clients.forEach(LockClient::close);
        assertThat(leaders).hasValue(0);
        assertThat(mostLeaders.get()).isLessThanOrEqualTo(1);
    }

    private LockClient client() {
        return client(BRIEF);
    }

    private LockClient client(LockOptions options) {
        LockClient client = LockClient.builder(new MemoryBackend(store))
                .callTimeout(Duration.ofMillis(100))
                .options(options)
                .build();
        clients.add(client);
        return client;
    }

    private Leadership candidate(LockClient client) {
        return candidate(client, lease -> {
            mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
            terms.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } finally {
                leaders.decrementAndGet();
            }
        });
    }

    private Leadership candidate(LockClient client, LeaseTask<?> duty) {
        Leadership started = Leadership.start(client.lock("leader"), duty);
        candidates.add(started);
        return started;
    }

    /** A leader that gives up is a candidate again after a second, and leads again if nobody waits then. */
    private void awaitOneThatWaits() {
        DistributedLock lock = client().lock("leader");
        await("one waits for the leader's end")
                .atMost(AMPLE)
                .until(() -> lock.holder().map(LockHolder::waiters).equals(Optional.of(OptionalInt.of(1))));
    }

    @Test
    void anotherOneIsElectedWhenTheLeaderCloses() throws Exception {
        Leadership first = candidate(client(LASTING));
        assertThat(first.await(AMPLE)).isTrue();
        Leadership second = candidate(client(LASTING));
        assertThat(second.await(Duration.ofMillis(50))).isFalse();
        assertThat(second.isLeader()).isFalse();
        first.close();
        assertThat(first.isLeader()).isFalse();
        assertThat(second.await(AMPLE)).isTrue();
        first.close();
        assertThat(first.await(AMPLE)).as("it is closed").isFalse();
    }

    @Test
    void aLeaderThatStepsDownIsACandidateAgain() throws Exception {
        Leadership first = candidate(client(LASTING));
        assertThat(first.await(AMPLE)).isTrue();
        Leadership second = candidate(client(LASTING));
        awaitOneThatWaits();
        first.stepDown();
        assertThat(second.await(AMPLE)).isTrue();
        awaitOneThatWaits();
        second.stepDown();
        assertThat(first.await(AMPLE)).isTrue();
        second.stepDown();
        assertThat(first.isLeader())
                .as("another one has stepped down, which did not lead")
                .isTrue();
    }

    @Test
    void aLeaderThatIsRevokedIsInterruptedAndAnotherOneLeads() throws Exception {
        LockClient client = client(BRIEF.withLease(Duration.ofSeconds(6)));
        Leadership first = candidate(client);
        assertThat(first.await(AMPLE)).isTrue();
        Leadership second = candidate(client());
        awaitOneThatWaits();
        assertThat(client().lock("leader").revoke("test")).isTrue();
        assertThat(second.await(AMPLE)).isTrue();
        await().until(() -> !first.isLeader());
    }

    @Test
    void aRevokedLeaderHasTheLockForItsLastSteps() throws Exception {
        CompletableFuture<Boolean> isHeldAtTheEnd = new CompletableFuture<>();
        Leadership only = candidate(client(BRIEF.withLease(Duration.ofSeconds(6))), lease -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                isHeldAtTheEnd.complete(lease.isHeld());
            }
        });
        assertThat(only.await(AMPLE)).isTrue();
        assertThat(client().lock("leader").revoke("test")).isTrue();
        assertThat(isHeldAtTheEnd.get(AMPLE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aSilentStoreEndsTheTermAndNotTheElection() throws Exception {
        Leadership only = candidate(client());
        assertThat(only.await(AMPLE)).isTrue();
        store.pause();
        await().atMost(AMPLE).until(() -> !only.isLeader() && leaders.get() == 0);
        store.resume();
        assertThat(only.await(AMPLE)).isTrue();
        await().untilAsserted(() -> assertThat(terms).hasValue(2));
    }

    @Test
    void aDutyThatFailsOrReturnsIsDoneAgain() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Leadership only = candidate(client(), lease -> {
            switch (done.incrementAndGet()) {
                case 1 -> throw new StackOverflowError("the first time");
                case 2 -> Thread.currentThread().interrupt();
                // Of another lock: neither is this client closed.
                case 3 -> throw new LockClosedException("other");
                default -> new CountDownLatch(1).await();
            }
        });
        await().atMost(AMPLE).until(() -> done.get() == 4);
        assertThat(only.isLeader()).isTrue();
    }

    @Test
    void aDutyThatTimesOutElsewhereIsNotDoneInATightLoop() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Leadership only = candidate(client(), lease -> {
            done.incrementAndGet();
            throw new LockTimeoutException("other", Duration.ofSeconds(1));
        });
        await().atMost(AMPLE).until(() -> done.get() == 2 && !only.isLeader());
        assertThat(only.await(Duration.ofMillis(300))).isFalse();
        assertThat(done).hasValue(2);
    }

    @Test
    void theDutyMayCloseItsLeadership() {
        CountDownLatch made = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        Leadership only = candidate(client(), lease -> {
            made.await();
            candidates.get(0).close();
            done.incrementAndGet();
        });
        made.countDown();
        await().until(() -> done.get() == 1 && !only.isLeader());
        only.close();
        assertThat(client().lock("leader").tryAcquire()).isPresent();
    }

    @Test
    void theEndOfTheClientEndsTheElection() throws Exception {
        LockClient client = client();
        Leadership only = candidate(client);
        assertThat(only.await(AMPLE)).isTrue();
        client.close();
        assertThat(only.await(AMPLE)).isFalse();
        assertThat(leaders).hasValue(0);
    }

    @Test
    void whoGoesOnWithoutTheLockIsNotElected() throws Exception {
        LockClient client = client();
        store.pause();
        AtomicInteger led = new AtomicInteger();
        LockOptions options = BRIEF.withMaxWait(Duration.ofMillis(50)).withGoOnWithoutAnswer(true);
        try (Leadership only = Leadership.start(client.lock("leader", options), lease -> led.incrementAndGet())) {
            assertThat(only.await(Duration.ofMillis(500))).isFalse();
            assertThat(led).hasValue(0);
            store.resume();
            await().atMost(AMPLE).until(() -> led.get() > 0);
        }
    }

    @Test
    void badArgumentsAreRefused() {
        LockClient client = client();
        assertThatThrownBy(() -> candidate(client).await(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
