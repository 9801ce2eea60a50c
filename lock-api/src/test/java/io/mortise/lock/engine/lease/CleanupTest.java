// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryBackend backend = new MemoryBackend(new MemoryStore(ticker));

    private Claim claim(String lock) {
        return backend.claim(new ClaimRequest(lock, "1", "", LEASE, false, 0, 1), () -> {});
    }

    /** All by one worker: the others are never run. */
    @Test
    void whatWasNotTriedYetIsReleasedBeforeWhatGotNoAnswer() {
        List<Runnable> tasks = new ArrayList<>();
        Cleanup cleanup = new Cleanup(Environment.system(), ticker, tasks::add, LEASE);
        List<String> tries = new ArrayList<>();
        Runnable[] during = {() -> {}};
        Function<String, ClaimRelease> release = lock -> new ClaimRelease(
                new ForwardingClaim(claim(lock)) {
                    @Override
                    public boolean release(Duration atMost) {
                        tries.add(lock);
                        ticker.advance(LEASE);
                        if (tries.size() == 2) {
                            during[0].run();
                        }
                        if (lock.equals("hangs") && tries.size() < 4) {
                            throw new BackendException("no answer", null);
                        }
                        return true;
                    }
                },
                Duration.ofMillis(1),
                Environment.system());
        during[0] = () -> cleanup.release("late", release.apply("late"), LEASE.toNanos());
        cleanup.release("hangs", release.apply("hangs"), LEASE.toNanos() * 10);
        cleanup.release("other", release.apply("other"), LEASE.toNanos());
        tasks.get(0).run();
        assertThat(tries).containsExactly("hangs", "other", "late", "hangs");
        assertThat(cleanup.hasTriedAll()).isTrue();
    }

    /** A claim takes one call at a time, and whoever finds it busy goes on with others. */
    @Test
    void aClaimThatIsThereTwiceOccupiesOneWorker() {
        List<Runnable> tasks = new ArrayList<>();
        Cleanup cleanup = new Cleanup(Environment.system(), ticker, tasks::add, LEASE);
        List<String> tries = new ArrayList<>();
        ClaimRelease twice = new ClaimRelease(
                new ForwardingClaim(claim("twice")) {
                    @Override
                    public boolean release(Duration atMost) {
                        tries.add("twice");
                        if (tries.size() == 1) {
                            tasks.get(1).run();
                        }
                        tries.add("ended");
                        return true;
                    }
                },
                Duration.ofMillis(1),
                Environment.system());
        ClaimRelease other = new ClaimRelease(
                new ForwardingClaim(claim("other")) {
                    @Override
                    public boolean release(Duration atMost) {
                        tries.add("other");
                        return true;
                    }
                },
                Duration.ofMillis(1),
                Environment.system());
        cleanup.release("twice", twice, LEASE.toNanos());
        cleanup.release("twice", twice, LEASE.toNanos());
        cleanup.release("other", other, LEASE.toNanos());

        tasks.get(0).run();

        assertThat(tries).containsExactly("twice", "other", "ended", "twice", "ended");
        assertThat(cleanup.isIdle()).isTrue();
        assertThat(cleanup.hasTriedAll()).isTrue();
    }

    /** A claim whose releases wait, and which then gets no answer at first if it is lost. */
    private static final class Slow extends ForwardingClaim {
        private static final int TRIES_AT_ONCE = 3;

        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final AtomicInteger releases = new AtomicInteger();
        private final boolean isLost;
        private volatile @Nullable Thread worker;

        Slow(Claim inner, boolean isLost) {
            super(inner);
            this.isLost = isLost;
        }

        @Override
        public boolean release(Duration atMost) {
            worker = Thread.currentThread();
            int count = releases.incrementAndGet();
            try {
                mayEnd.await();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
            if (isLost && count <= TRIES_AT_ONCE) {
                throw new BackendException("no answer", null);
            }
            return true;
        }
    }

    /** The worker that waits for the end of what is kept is woken for what got no answer from another worker. */
    @Test
    void aLostReleaseDoesNotWaitForOneThatIsKept() {
        ExecutorService workers = Executors.newCachedThreadPool();
        Cleanup cleanup = new Cleanup(Environment.system(), Ticker.system(), workers, LEASE);
        ClaimRelease kept = new ClaimRelease(claim("kept"), LEASE, Environment.system());
        kept.keepUntil(System.nanoTime() + LEASE.toNanos());
        Slow slow = new Slow(claim("slow"), false);
        Slow lost = new Slow(claim("lost"), true);
        cleanup.release("slow", new ClaimRelease(slow, LEASE, Environment.system()), LEASE.toNanos());
        await().until(() -> slow.releases.get() == 1);
        cleanup.release("lost", new ClaimRelease(lost, LEASE, Environment.system()), LEASE.toNanos());
        await().until(() -> lost.releases.get() == 1);
        cleanup.letGo("kept", kept, LEASE.toNanos());

        slow.mayEnd.countDown();
        Thread waits = Objects.requireNonNull(slow.worker);
        await().until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        lost.mayEnd.countDown();

        await().atMost(LEASE.dividedBy(2)).until(() -> lost.releases.get() == Slow.TRIES_AT_ONCE + 1);
        cleanup.close();
        workers.shutdown();
    }
}
