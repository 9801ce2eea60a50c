// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class CaseThreadTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void whatACaseThrowsIsThrownAsItIs() {
        for (Throwable thrown : new Throwable[] {
            new AssertionError("broken"), new TestAbortedException("skipped"), new InterruptedException()
        }) {
            assertThat(catchThrowable(() -> CaseThread.perform("case", LONG, () -> {
                        throw thrown;
                    })))
                    .isSameAs(thrown);
        }
    }

    @Test
    void aCaseThatNeverReturnsFailsWithItsStack() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            assertThatThrownBy(() -> CaseThread.perform("hung case", SHORT, lock::lock))
                    .isInstanceOf(CaseThread.NeverEnded.class)
                    .hasMessageStartingWith("the case did not end within 300 ms")
                    .hasMessageContaining(":\n    \"hung case\" WAITING\n")
                    .hasMessageContaining("ReentrantLock.lock(");
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aCaseThatNeverReturnsIsInterrupted() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        assertThatThrownBy(() -> CaseThread.perform("hung case", SHORT, () -> {
                    while (!Thread.interrupted()) {
                        LockSupport.park();
                    }
                    interrupted.countDown();
                }))
                .isInstanceOf(CaseThread.NeverEnded.class);
        interrupted.await();
    }

    @Test
    void anInterruptOfTheCallerReachesTheCase() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean reached = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            try {
                CaseThread.perform("case", LONG, () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException interrupt) {
                        reached.set(true);
                        throw interrupt;
                    }
                });
            } catch (Throwable expected) {
                assertThat(expected).isInstanceOf(InterruptedException.class);
            }
        });
        caller.start();
        begun.await();
        caller.interrupt();
        caller.join();
        assertThat(reached).isTrue();
    }
}
