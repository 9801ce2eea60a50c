// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.key;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No lock is free while its holder may believe in it (P13, F1), whatever the server's clock does. */
class LeaseTimesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_ROUNDS = 15;

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** When each lock was asked for, until when its holder may believe in it, and when it was gone. */
    private static final class Watch {
        private record Sample(long asked, long until) {}

        private final Map<String, Sample> running = new HashMap<>();
        private final List<Long> livedNanos = new ArrayList<>();
        private final List<Long> spareNanos = new ArrayList<>();

        void add(String lock, long asked, long until) {
            running.put(lock, new Sample(asked, until));
        }

        /** One look at all locks; the moment before it counts, so that nothing seems to have lived longer than it did. */
        void look() {
            if (running.isEmpty()) {
                return;
            }
            long now = System.nanoTime();
            List<String> locks = List.copyOf(running.keySet());
            Collection<String> found = server.command(
                    "get " + String.join(" ", locks.stream().map(Claims::key).toList()));
            running.entrySet().removeIf(entry -> {
                boolean gone = found.stream().noneMatch(line -> line.startsWith("VALUE " + key(entry.getKey()) + " "));
                if (gone) {
                    livedNanos.add(now - entry.getValue().asked);
                    spareNanos.add(now - entry.getValue().until);
                }
                return gone;
            });
        }

        boolean isRunning() {
            return !running.isEmpty();
        }

        void awaitAll() {
            while (isRunning()) {
                look();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
    }

    /** Engine and server together: the holder's view of each lease, and when the server lets go of it by itself. */
    @Test
    void noLockExpiresBeforeItsHoldersLease() throws Exception {
        Map<Integer, Watch> watches = new TreeMap<>(Map.of(1, new Watch(), 2, new Watch(), 5, new Watch()));
        Random random = new Random(7);
        try (LockBackend backend = new DeadHolders(open(server.url()));
                LockClient locks = LockClient.builder(backend).build()) {
            for (int i = 0; i < 200; i++) {
                for (Map.Entry<Integer, Watch> each : watches.entrySet()) {
                    LockOptions options = LockOptions.defaults()
                            .withLease(Duration.ofSeconds(each.getKey()))
                            .withRenewal(false);
                    String lock = "lease " + each.getKey() + " " + i;
                    long asked = System.nanoTime();
                    Lease lease = locks.lock(lock, options).tryAcquire().orElseThrow();
                    long left = lease.remaining().toNanos();
                    each.getValue().add(lock, asked, System.nanoTime() + left);
                    each.getValue().look();
                }
                LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(10)));
            }
            while (watches.values().stream().anyMatch(Watch::isRunning)) {
                watches.values().forEach(Watch::look);
            }
        }
        watches.forEach((seconds, watch) -> {
            System.out.printf(
                    "lease of %d s: %d locks were free after %d to %d ms, at least %d ms after validUntil%n",
                    seconds,
                    watch.livedNanos.size(),
                    millis(Collections.min(watch.livedNanos)),
                    millis(Collections.max(watch.livedNanos)),
                    millis(Collections.min(watch.spareNanos)));
            assertThat(watch.livedNanos).hasSize(200).allMatch(lived -> lived >= promised(Duration.ofSeconds(seconds)));
            assertThat(watch.spareNanos).allMatch(spare -> spare >= 0);
        });
    }

    private static long promised(Duration lease) {
        return lease.minus(LockItem.CLOCK_LATE).toNanos();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /** Holders that died: nothing of theirs is ever released. */
    private static final class DeadHolders extends ForwardingBackend {
        private DeadHolders(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean release(Duration atMost) {
                    return false;
                }
            };
        }
    }

    /**
     * memcached looks at its clock about once a second, a little less often: once in some minutes it sees that two have passed.
     * What it stored just before lives almost two seconds less than it was told to. Here it is made to happen.
     */
    @Test
    void aSkippedSecondOfTheServersClockShortensNoLease() throws Exception {
        Duration lease = Duration.ofSeconds(1);
        Watch watch = new Watch();
        int skips = 0;
        int rounds = 0;
        try (LockBackend backend = open(server.url())) {
            // On a busy machine a pause may end at the wrong moment.
            while (rounds < 2 || (skips == 0 && rounds < MOST_ROUNDS)) {
                pauseOver(600, 400, 970);
                long before = clock();
                for (int i = 0; i < 14; i++) {
                    String lock = "skip " + rounds + " " + i;
                    long asked = System.nanoTime();
                    assertThat(claim(backend, lock, lease).tryAcquire(AMPLE)).isTrue();
                    watch.add(lock, asked, asked + promised(lease));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
                }
                pauseOver(920, 20);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                skips += clock() - before == 2 ? 1 : 0;
                rounds++;
                watch.look();
            }
            watch.awaitAll();
        }
        assertThat(skips).isPositive();
        assertThat(watch.livedNanos).hasSize(14 * rounds).allMatch(lived -> lived >= promised(lease));
    }

    /** Lets the server miss the moment when it would look at its clock, so that it looks at the end of the pause. */
    private static void pauseOver(int fromMillis, int... toMillis) {
        parkUntilFraction(fromMillis);
        server.pause();
        for (int millis : toMillis) {
            parkUntilFraction(millis);
        }
        server.resume();
    }

    private static void parkUntilFraction(int millis) {
        long wanted = TimeUnit.MILLISECONDS.toNanos(millis);
        long left = Math.floorMod(wanted - System.nanoTime(), SECOND);
        long end = System.nanoTime() + left;
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static long clock() {
        return server.counter("time");
    }

    /** A server that wakes up obeys before it looks at its clock: what it stores then is as old as its sleep was long. */
    @Test
    void itemsStoredAfterAThawLiveForTheirWholeLease() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<LockBackend> backends = new ArrayList<>();
        Watch watch = new Watch();
        try {
            for (int i = 0; i < 8; i++) {
                backends.add(open(server.url()));
            }
            for (int round = 0; round < 3; round++) {
                List<MemcachedClaim> renewed = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    MemcachedClaim holder = claim(backends.get(i), "renewed " + round + " " + i, lease.plusSeconds(3));
                    assertThat(holder.tryAcquire(AMPLE)).isTrue();
                    renewed.add(holder);
                }
                server.pause();
                LockSupport.parkNanos(3 * SECOND);
                List<Future<Long>> asked = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    MemcachedClaim holder = renewed.get(i);
                    MemcachedClaim newcomer = claim(backends.get(i), "tried " + round + " " + i, lease);
                    asked.add(threads.submit(() -> {
                        long before = System.nanoTime();
                        assertThat(holder.renew(lease.plusSeconds(3), AMPLE)).isTrue();
                        return before;
                    }));
                    asked.add(threads.submit(() -> {
                        long before = System.nanoTime();
                        assertThat(newcomer.tryAcquire(AMPLE)).isTrue();
                        return before;
                    }));
                }
                LockSupport.parkNanos(SECOND / 10);
                server.resume();
                for (int i = 0; i < 8; i++) {
                    long renewedAt = asked.get(2 * i).get();
                    long triedAt = asked.get(2 * i + 1).get();
                    watch.add("renewed " + round + " " + i, renewedAt, renewedAt + promised(lease.plusSeconds(3)));
                    watch.add("tried " + round + " " + i, triedAt, triedAt + promised(lease));
                }
                watch.look();
            }
            watch.awaitAll();
        } finally {
            server.resume();
            threads.shutdownNow();
            backends.forEach(LockBackend::close);
        }
        assertThat(watch.spareNanos).hasSize(48).allMatch(spare -> spare >= 0);
    }
}
