// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallDeadlineTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final CompletableFuture<String> request = new CompletableFuture<>();

    @AfterEach
    void clearTheFlag() {
        Thread.interrupted();
    }

    @Test
    void anInterruptBeforeAnInterruptibleCallEndsItUnsent() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> CallDeadline.interruptibly("Redis", LONG, deadline -> {
                    throw new AssertionError("must not run");
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitOfAnInterruptibleCall() {
        assertThatThrownBy(() -> CallDeadline.interruptibly("Redis", LONG, deadline -> {
                    Thread.currentThread().interrupt();
                    return awaited(deadline);
                }))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void aPollGoesOnThroughAnInterruptAndEndsInTime() {
        Thread.currentThread().interrupt();
        List<String> polled = CallDeadline.uninterruptibly("Redis", SHORT, deadline -> {
            BlockingQueue<String> queue = new LinkedBlockingQueue<>(List.of("first"));
            Thread.currentThread().interrupt();
            String first = String.valueOf(deadline.poll(queue));
            return List.of(first, String.valueOf(deadline.poll(queue)));
        });

        assertThat(polled).containsExactly("first", "null");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void anUninterruptibleCallGoesOnAndSetsTheFlagAgain() {
        Thread.currentThread().interrupt();
        String answer = CallDeadline.uninterruptibly("Redis", LONG, deadline -> {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.currentThread().interrupt();
            deadline.within(SHORT).pause(SHORT.toNanos());
            request.complete("yes");
            return awaited(deadline);
        });

        assertThat(answer).isEqualTo("yes");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void anInterruptDuringAPartOfAnUninterruptibleCallIsRemembered() {
        CallDeadline.uninterruptibly("Redis", LONG, deadline -> {
            Thread.currentThread().interrupt();
            deadline.within(SHORT).pause(SHORT.toNanos());
            return "";
        });

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void aDriversOwnInterruptedWaitIsNoAnswer() {
        assertThatThrownBy(() -> CallDeadline.uninterruptibly("Redis", LONG, deadline -> {
                    throw new InterruptedException();
                }))
                .isInstanceOfSatisfying(BackendException.class, failure -> assertThat(failure.kind())
                        .isEqualTo(BackendException.Kind.NO_ANSWER));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void aDriversWaitIsRepeatedInAnUninterruptibleCall() {
        AtomicInteger waits = new AtomicInteger();
        int answer = CallDeadline.uninterruptibly(
                "Redis", LONG, deadline -> deadline.driverWait(left -> interruptedOnce(waits)));

        assertThat(answer).isEqualTo(2);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void aDriversWaitEndsWithAnInterruptibleCall() {
        AtomicInteger waits = new AtomicInteger();

        assertThatThrownBy(() -> CallDeadline.interruptibly(
                        "Redis", LONG, deadline -> deadline.driverWait(left -> interruptedOnce(waits))))
                .isInstanceOf(InterruptedException.class);
        assertThat(waits).hasValue(1);
    }

    private static int interruptedOnce(AtomicInteger waits) throws InterruptedException {
        if (waits.incrementAndGet() == 1) {
            throw new InterruptedException();
        }
        return waits.get();
    }

    @Test
    void aLateRequestIsGivenUpAndTellsItsEnd() {
        assertThatThrownBy(() -> CallDeadline.uninterruptibly("Redis", SHORT, this::awaited))
                .hasMessage("Redis did not answer within 20 ms")
                .isInstanceOfSatisfying(
                        BackendException.class, late -> assertThat(late.end()).contains(request));
    }

    @Test
    void aPassedDeadlineHasNoMilliseconds() {
        assertThatThrownBy(() -> CallDeadline.uninterruptibly("Redis", Duration.ofNanos(1), deadline -> {
                    deadline.pause(1);
                    assertThat(deadline.hasPassed()).isTrue();
                    return deadline.remainingMillis();
                }))
                .isInstanceOf(BackendException.class);
    }

    @Test
    void aPartEndsNoLaterThanTheWhole() {
        CallDeadline.uninterruptibly("Redis", SHORT, deadline -> {
            assertThat(deadline.within(LONG).remainingNanos()).isLessThanOrEqualTo(SHORT.toNanos());
            assertThat(deadline.within(Duration.ofMillis(1)).remainingNanos()).isLessThanOrEqualTo(1_000_000);
            return "";
        });
    }

    @Test
    void aFailedRequestIsClassified() {
        request.completeExceptionally(new IllegalStateException("NOPERM"));

        assertThatThrownBy(() -> CallDeadline.uninterruptibly(
                        "Redis",
                        LONG,
                        deadline -> deadline.await(
                                request, failure -> BackendException.refused("the user may not", failure))))
                .hasMessage("the user may not")
                .isInstanceOfSatisfying(BackendException.class, failure -> assertThat(failure.kind())
                        .isEqualTo(BackendException.Kind.REFUSED));
    }

    @Test
    void aCancelledRequestHasEnded() {
        request.cancel(false);

        CallDeadline.uninterruptibly("Redis", LONG, deadline -> {
            assertThat(deadline.awaitEnd(request)).isTrue();
            assertThatThrownBy(() -> deadline.await(request)).isInstanceOf(ExecutionException.class);
            return "";
        });
    }

    private String awaited(CallDeadline deadline) throws InterruptedException {
        return deadline.await(request, CallDeadlineTest::fail);
    }

    private static RuntimeException fail(Throwable failure) {
        return new IllegalStateException(failure);
    }

    @Test
    void aCallMayTakeCenturies() throws InterruptedException {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        boolean passed = CallDeadline.interruptibly(
                "the store",
                longest,
                deadline -> deadline.hasPassed() || deadline.within(longest).hasPassed());
        assertThat(passed).isFalse();
    }
}
