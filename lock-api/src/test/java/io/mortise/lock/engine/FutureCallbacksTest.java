// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.memory.MemoryBackend;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What depends on a future can cut its completion off: where memory is short, or with a throwable that throws when the JDK makes
 * an exception of it. All others are told then, too, and nothing is left of the future.
 */
@Timeout(60)
class FutureCallbacksTest {
    private final ErrorScene scene = new ErrorScene();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger thrown = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** Throws itself when it is asked for its text first. */
    private final class Unprintable extends Error {
        private static final long serialVersionUID = 1;
        private final AtomicBoolean asked = new AtomicBoolean();

        @Override
        public String getMessage() {
            if (!asked.getAndSet(true)) {
                thrown.incrementAndGet();
                throw this;
            }
            return "thrown by a callback";
        }
    }

    /** Those that were added last are told first. */
    @SuppressWarnings("FutureReturnValueIgnored") // of what the callbacks do
    private <T> CompletableFuture<T> watched(CompletableFuture<T> future) {
        future.whenComplete((value, failure) -> told.incrementAndGet());
        future.handle((value, failure) -> {
            throw new Unprintable();
        });
        future.whenComplete((value, failure) -> told.incrementAndGet());
        future.handle((value, failure) -> {
            throw new Unprintable();
        });
        return future;
    }

    private void allAreTold(int futures) {
        await().untilAsserted(() -> assertThat(told).hasValue(2 * futures));
        await().untilAsserted(() -> assertThat(thrown).hasValue(2 * futures));
    }

    private static void nothingIsLeftOf(WeakReference<?> future) {
        await().untilAsserted(() -> {
            System.gc();
            assertThat(future.get()).as("kept in memory").isNull();
        });
    }

    @Test
    void aGrantIsToldToAllAndKept() throws Exception {
        Lease busy = scene.acquired(scene.other, "a");
        CompletableFuture<Lease> future = watched(scene.client.lock("a").acquireAsync());
        WeakReference<?> reference = new WeakReference<>(future);
        assertThat(busy.release()).isTrue();
        scene.pass("granted", future::isDone);
        Lease lease = future.get();
        allAreTold(1);
        future = null;
        nothingIsLeftOf(reference);
        assertThat(lease.isHeld()).isTrue();
        assertThat(scene.other.lock("a").tryAcquire())
                .as("held by the future's")
                .isEmpty();
        assertThat(lease.release()).isTrue();
        scene.everythingWorks("a");
    }

    @Test
    void aFailureIsToldToAll() throws Exception {
        Lease busy = scene.acquired(scene.other, "a");
        CompletableFuture<Lease> future = watched(scene.client.lock("a").acquireAsync());
        WeakReference<?> reference = new WeakReference<>(future);
        scene.client.close();
        allAreTold(1);
        assertThat(future).isCompletedExceptionally();
        future = null;
        nothingIsLeftOf(reference);
        assertThat(busy.release()).isTrue();
    }

    /** The executor has the outcome, and is in no hurry. */
    @Test
    void aGrantThatComesAfterACancelThatWasCutOffIsGivenBack() throws Exception {
        List<Runnable> tasks = Collections.synchronizedList(new ArrayList<>());
        try (LockClient client = LockClient.builder(new MemoryBackend(scene.memory))
                .ticker(scene.ticker)
                .executor(tasks::add)
                .build()) {
            CompletableFuture<Lease> future = watched(client.lock("a").acquireAsync());
            WeakReference<?> reference = new WeakReference<>(future);
            await().until(() -> tasks.size() == 1);
            complete(future, asked -> asked.cancel(true));
            tasks.remove(0).run();
            allAreTold(1);
            assertThat(future).isCancelled();
            future = null;
            nothingIsLeftOf(reference);
            scene.soonFree("a");
        }
    }

    @Test
    void aCallEndsThoughItsCompletionFromOutsideIsCutOff() throws Exception {
        Lease busy = scene.acquired(scene.other, "a");
        List<Consumer<CompletableFuture<Lease>>> completions = List.of(
                future -> future.cancel(true),
                future -> future.complete(busy),
                future -> future.completeExceptionally(new TimeoutException()));
        for (Consumer<CompletableFuture<Lease>> completion : completions) {
            CompletableFuture<Lease> future = watched(scene.client.lock("a").acquireAsync());
            await().until(() -> waiters() == 1);
            complete(future, completion);
            assertThat(future).isDone();
            assertThat(thrown).as("cut-offs").hasPositiveValue();
            await().until(() -> waiters() == 0);
        }
        assertThat(busy.release()).isTrue();
        scene.everythingWorks("a");
    }

    private int waiters() {
        return scene.other.lock("a").holder().orElseThrow().waiters().orElse(0);
    }

    private static <T> void complete(CompletableFuture<T> future, Consumer<CompletableFuture<T>> completion) {
        try {
            completion.accept(future);
        } catch (Unprintable cutOff) {
            assertThat(future).isDone();
        }
    }

    /** An executor has dropped all outcomes. */
    @Test
    void closingCompletesAllFutures() throws Exception {
        CountDownLatch dropped = new CountDownLatch(3);
        List<CompletableFuture<Lease>> futures = new ArrayList<>();
        try (LockClient client = LockClient.builder(new MemoryBackend(scene.memory))
                .ticker(scene.ticker)
                .executor(task -> dropped.countDown())
                .build()) {
            for (String name : List.of("a", "b", "c")) {
                futures.add(watched(client.lock(name).acquireAsync()));
            }
            assertThat(dropped.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
        allAreTold(3);
        scene.everythingWorks("a");
    }
}
