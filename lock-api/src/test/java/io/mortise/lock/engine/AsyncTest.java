// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An asynchronous call needs no thread of its own while it waits, and whatever ends its future ends it. */
@Timeout(120)
class AsyncTest {
    private static final int MANY = 10_000;

    /** What can complete a future from outside. */
    enum Outside {
        OR_TIMEOUT(future -> future.orTimeout(20, TimeUnit.MILLISECONDS)),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout(null, 20, TimeUnit.MILLISECONDS)),
        COMPLETE(future -> future.complete(null)),
        COMPLETE_EXCEPTIONALLY(future -> future.completeExceptionally(new TimeoutException())),
        CANCEL(future -> future.cancel(true)),
        OBTRUDE_VALUE(future -> future.obtrudeValue(null)),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(new TimeoutException()));

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
        private final Consumer<CompletableFuture<?>> end;

        Outside(Consumer<CompletableFuture<?>> end) {
            this.end = end;
        }
    }

    private final MemoryStore memory = new MemoryStore(Ticker.system());
    private final LockClient locks =
            LockClient.builder(new MemoryBackend(memory)).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).build();

    @AfterEach
    void close() {
        locks.close();
        other.close();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mortise-"))
                .count();
    }

    private int waitersOf(String name) {
        return other.lock(name).holder().orElseThrow().waiters().orElse(0);
    }

    @ParameterizedTest
    @EnumSource(Outside.class)
    void whatEndsTheFutureEndsTheWaitAtTheStore(Outside outside) throws Exception {
        Lease held = other.lock("a").acquire();
        CompletableFuture<Lease> waiting = locks.lock("a").acquireAsync();
        await().until(() -> waitersOf("a") == 1);
        outside.end.accept(waiting);
        await().until(() -> waitersOf("a") == 0);
        CompletableFuture<Optional<Lease>> timed = locks.lock("a").tryAcquireAsync(Duration.ofHours(1));
        await().until(() -> waitersOf("a") == 1);
        outside.end.accept(timed);
        await().until(() -> waitersOf("a") == 0);
        assertThat(held.release()).isTrue();
        assertThat(locks.lock("a").tryAcquire()).isPresent();
    }

    /** Time stands still: a lease that was confirmed too long ago is not handed over. */
    @ParameterizedTest
    @EnumSource(Outside.class)
    void whatEndsFuturesLeavesNoPlaceInTheLine(Outside outside) throws Exception {
        ManualTicker still = new ManualTicker();
        MemoryStore store = new MemoryStore(still);
        AtomicInteger granted = new AtomicInteger();
        try (LockClient client =
                LockClient.builder(new MemoryBackend(store)).ticker(still).build()) {
            // Threads of the client's take them out of the line, at some time. What stays there is in the way however
            // long one waits.
            Duration wait = Duration.ofMillis(10);
            while (!isHandedOverBehind(client, outside, wait, granted)) {
                wait = wait.multipliedBy(3);
                assertThat(wait)
                        .as("who waits behind them is not handed the lock")
                        .isLessThan(Duration.ofSeconds(8));
            }
            assertThat(granted).hasValue(0);
            try (LockClient another =
                    LockClient.builder(new MemoryBackend(store)).ticker(still).build()) {
                assertThat(another.lock("a").tryAcquire()).isPresent();
            }
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> threads() < 20);
    }

    /** Whether a call behind two hundred futures is the next to have the lock, if it begins so long after their end. */
    private static boolean isHandedOverBehind(LockClient client, Outside outside, Duration wait, AtomicInteger granted)
            throws Exception {
        Lease held = client.lock("a").acquire();
        List<CompletableFuture<Lease>> futures = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Lease> future = client.lock("a").acquireAsync();
            var unused = future.thenAccept(lease -> granted.addAndGet(lease == null ? 0 : 1));
            futures.add(future);
        }
        futures.forEach(outside.end);
        await().pollDelay(wait).atMost(Duration.ofSeconds(30)).until(() -> futures.stream()
                .allMatch(CompletableFuture::isDone));
        BackgroundCall<Lease> live =
                BackgroundCall.start(client.lock("a")::acquire).awaitWaiting();
        long token = held.fencingToken();
        held.close();
        Lease next = live.get();
        assertThat(next.isHeld()).isTrue();
        boolean isHandedOver = next.fencingToken() == token + 1;
        next.close();
        return isHandedOver;
    }

    @Test
    void aLeaseThatComesAfterTheEndOfItsFutureIsGivenBack() throws Exception {
        for (int i = 0; i < 200; i++) {
            Lease held = other.lock("a").acquire();
            CompletableFuture<Lease> waiting = locks.lock("a").acquireAsync();
            CompletableFuture<Void> releasing = CompletableFuture.runAsync(held::close);
            waiting.cancel(true);
            releasing.join();
            if (!waiting.isCancelled()) {
                waiting.join().close();
            }
            await().pollInterval(Duration.ofMillis(1))
                    .until(() ->
                            other.lock("a").tryAcquire().map(Lease::release).orElse(false));
        }
    }

    @ParameterizedTest
    @EnumSource(Outside.class)
    void aLeaseWhoseFutureEndsBeforeTheExecutorTellsOfItIsReleasedAtOnce(Outside outside) {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        ThreadPoolExecutor busy = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        busy.execute(() -> uninterruptibly(mayGoOn));
        try (LockClient patient =
                LockClient.builder(new MemoryBackend(memory)).executor(busy).build()) {
            CompletableFuture<Lease> granted = patient.lock("a").acquireAsync();
            await().until(() -> busy.getQueue().size() == 1);
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            outside.end.accept(granted);
            await().until(() -> other.lock("a").tryAcquire().isPresent());
        } finally {
            mayGoOn.countDown();
            busy.shutdown();
        }
    }

    @Test
    void whatBlocksAfterAFutureThatTheExecutorRefusedDoesNotStopOtherFutures() throws Exception {
        ThreadPoolExecutor ended = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        ended.shutdown();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (LockClient refused =
                LockClient.builder(new MemoryBackend(memory)).executor(ended).build()) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                held.add(other.lock("blocks " + i).acquire());
                var unused = refused.lock("blocks " + i).acquireAsync().thenAccept(lease -> uninterruptibly(mayGoOn));
            }
            for (int i = 0; i < 8; i++) {
                String name = "blocks " + i;
                await().until(() -> waitersOf(name) == 1);
            }
            held.forEach(Lease::close);
            assertThat(refused.lock("free")
                            .acquireAsync()
                            .get(10, TimeUnit.SECONDS)
                            .isHeld())
                    .isTrue();
            mayGoOn.countDown();
        } finally {
            mayGoOn.countDown();
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void futuresThatRaceTheEndOfTheClientEndAsItsCallsDo() throws Exception {
        for (int round = 0; round < 6; round++) {
            LockClient racing = LockClient.builder(new MemoryBackend(memory)).build();
            List<DistributedLock> known = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                known.add(racing.lock("race " + i % 50));
            }
            AtomicInteger begun = new AtomicInteger();
            List<CompletableFuture<Lease>> futures = new ArrayList<>();
            BackgroundCall<Boolean> closing = BackgroundCall.startAction(() -> {
                await().pollInterval(Duration.ofNanos(1)).until(() -> begun.get() > 200);
                racing.close();
            });
            for (DistributedLock lock : known) {
                futures.add(lock.acquireAsync());
                begun.incrementAndGet();
            }
            closing.get();
            for (CompletableFuture<Lease> future : futures) {
                Throwable failure = future.handle((lease, thrown) ->
                                thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
                if (failure == null) {
                    assertThat(future.join().isHeld()).isFalse();
                } else {
                    assertThat(failure).isInstanceOf(LockClosedException.class);
                }
            }
        }
        assertThat(other.holders("race ")).isEmpty();
    }

    @Test
    void manyFuturesOfOneLockWaitWithFewThreadsAndAreServedInTurn() throws Exception {
        Lease held = other.lock("a").acquire();
        AtomicInteger inside = new AtomicInteger();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            ends.add(locks.lock("a").acquireAsync().thenAccept(lease -> {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                order.add(number);
                inside.decrementAndGet();
                lease.close();
            }));
            if (i % 100 == 0) {
                assertThat(threads()).as("threads with " + i + " futures").isLessThan(20);
            }
        }
        assertThat(threads()).isLessThan(20);
        held.close();
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(order).isSorted().hasSize(MANY);
    }

    @Test
    void anExecutorThatRunsLaterWhatItRefusedTakesNoLease() throws Exception {
        List<Runnable> refused = new CopyOnWriteArrayList<>();
        try (LockClient client = LockClient.builder(new MemoryBackend(memory))
                .executor(task -> {
                    refused.add(task);
                    throw new RejectedExecutionException("kept all the same");
                })
                .build()) {
            Lease lease = client.lock("a").acquireAsync().get(20, TimeUnit.SECONDS);
            refused.forEach(Runnable::run);
            assertThat(refused).isNotEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private static Throwable failure(CompletableFuture<?> future) throws Exception {
        return future.<Throwable>handle((value, failure) -> failure).get(10, TimeUnit.SECONDS);
    }

    /** As a pool drops its queue when it is shut down at once. */
    @Test
    void futuresWhoseOutcomesTheExecutorDropsEndWithTheClient() throws Exception {
        Lease held = other.lock("busy").acquire();
        AtomicInteger dropped = new AtomicInteger();
        CompletableFuture<Lease> granted;
        CompletableFuture<Optional<Lease>> refused;
        try (LockClient client = LockClient.builder(new MemoryBackend(memory))
                .executor(task -> dropped.incrementAndGet())
                .build()) {
            granted = client.lock("a").acquireAsync();
            refused = client.lock("busy").tryAcquireAsync(Duration.ZERO);
            await().until(() -> dropped.get() == 2);
            assertThat(granted).isNotDone();
            assertThat(refused).isNotDone();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
        }
        assertThat(failure(granted)).isInstanceOf(LockClosedException.class);
        assertThat(failure(refused)).isInstanceOf(LockClosedException.class);
        assertThat(other.lock("a").tryAcquire()).isPresent();
        assertThat(held.release()).isTrue();
    }

    @Test
    void futuresOfManyLocksWaitWithFewThreads() throws Exception {
        LockOptions lasting =
                LockOptions.defaults().withLease(Duration.ofHours(1)).withRenewal(false);
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            held.add(other.lock("many " + i, lasting).acquire());
        }
        for (int i = 0; i < MANY; i++) {
            ends.add(locks.lock("many " + i, lasting).acquireAsync().thenApply(Lease::release));
            if (i % 100 == 0) {
                assertThat(threads()).as("threads with " + i + " futures").isLessThan(20);
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> waitersOf("many " + (MANY - 1)) == 1);
        assertThat(threads()).isLessThan(20);
        held.forEach(Lease::close);
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(ends).allMatch(CompletableFuture::join);
    }
}
