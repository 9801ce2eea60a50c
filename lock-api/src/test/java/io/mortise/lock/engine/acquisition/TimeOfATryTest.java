// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.BackgroundCall;
import io.mortise.lock.engine.SettlingTicker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A single try takes about one call time-out in all, however many questions it asks and whenever it may ask them. */
@Timeout(30)
class TimeOfATryTest {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration LONGEST = CALL.plusMillis(400);

    private final SettlingTicker ticker = new SettlingTicker();
    private final AtomicInteger questions = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    /** What else happens to a question, by its number, before its time passes without an answer. */
    private volatile IntConsumer before = number -> {};

    private final LockBackend store = new ForwardingBackend(new MemoryBackend(new MemoryStore(ticker))) {
        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) {
                    before.accept(questions.incrementAndGet());
                    ticker.advance(atMost);
                    throw new BackendException("no answer", null);
                }
            };
        }
    };
    private final LockClient locks =
            LockClient.builder(store).ticker(ticker).callTimeout(CALL).build();

    @AfterEach
    void close() {
        gate.countDown();
        locks.close();
    }

    /** A try that the store does not answer; how long it took. */
    private BackgroundCall<Duration> unanswered() {
        return BackgroundCall.start(() -> {
            long start = ticker.nanos();
            assertThatThrownBy(locks.lock("a")::tryAcquire).isInstanceOf(LockStoreException.class);
            return Duration.ofNanos(ticker.nanos() - start);
        });
    }

    @Test
    void aTryWhoseQuestionsFailAtOnceEndsAfterOneCallTimeOut() throws Exception {
        before = number -> {
            throw new BackendException("the connection was refused", null);
        };
        BackgroundCall<Duration> call = unanswered();
        ticker.pass(Duration.ofSeconds(10), List.of(call));
        assertThat(call.get()).isBetween(CALL.dividedBy(2), LONGEST);
    }

    @Test
    void aTryWhoseStoreHangsAfterSomeQuestionsThatFailedAtOnceEndsAfterOneCallTimeOut() throws Exception {
        before = number -> {
            if (number < 7) {
                throw new BackendException("the connection was refused", null);
            }
        };
        BackgroundCall<Duration> call = unanswered();
        ticker.pass(Duration.ofSeconds(10), List.of(call));
        assertThat(call.get()).isBetween(CALL.dividedBy(2), LONGEST);
    }

    @Test
    void aTryThatBecomesFirstInLineLateEndsAfterOneCallTimeOut() throws Exception {
        before = number -> {
            if (number == 1) {
                awaitOpen();
                throw BackendException.refused("only the first", null);
            }
        };
        BackgroundCall<?> first = BackgroundCall.start(locks.lock("a")::tryAcquire);
        await().until(() -> questions.get() == 1);
        BackgroundCall<Duration> late = unanswered();
        ticker.settle(List.of(late));
        ticker.advance(CALL.minusMillis(200));
        gate.countDown();
        assertThat(first.failure()).isInstanceOf(LockConfigurationException.class);
        await().until(() -> questions.get() == 2);
        ticker.pass(Duration.ofSeconds(10), List.of(late));
        assertThat(late.get()).isBetween(CALL.dividedBy(2), LONGEST);
    }

    private void awaitOpen() {
        try {
            gate.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
