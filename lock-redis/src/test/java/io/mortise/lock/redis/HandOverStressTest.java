// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A1, I1, K8: processes hand one lock over while some are killed, some are frozen, and connections are cut. No two hold it at once, tokens
 * rise, and nobody waits long for a lock that was given back. All processes share the host's monotonic clock. How long it goes on is
 * {@code mortise.stress.seconds}.
 */
@Timeout(600)
class HandOverStressTest {
    private static final int SECONDS = Integer.getInteger("mortise.stress.seconds", 15);
    private static final int PROCESSES = 5;
    private static final int CLIENTS = 3;
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** What the page of the backend says that dead waiters cost, and as much for a machine that does other things as well. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(6).plusSeconds(6);

    /** One who held the lock: from the moment that it knew until the last one at which it was told that it still held it. */
    private record Hold(long token, long from, long until, boolean isReleased) {}

    private final Map<Long, Hold> holds = new ConcurrentHashMap<>();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final Random random = new Random(Long.getLong("mortise.stress.seed", 1));

    @Test
    void processesHandOneLockOver() throws Exception {
        List<Process> processes = new ArrayList<>();
        try (RedisServer server = RedisServer.start()) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(server.url()));
            }
            long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
            int[] did = new int[4];
            CountDownLatch never = new CountDownLatch(1);
            while (System.nanoTime() < end) {
                pause(never, 200 + random.nextInt(600));
                int victim = random.nextInt(PROCESSES);
                int what = random.nextInt(4);
                did[what]++;
                switch (what) {
                    case 0 -> {
                        processes.get(victim).destroyForcibly().waitFor();
                        processes.set(victim, start(server.url()));
                    }
                    case 1 -> {
                        Process frozen = processes.get(victim);
                        ProcessSignals.freeze(frozen);
                        pause(never, 100 + random.nextInt(5_000));
                        ProcessSignals.resume(frozen);
                    }
                    case 2 -> server.command("CLIENT", "KILL", "TYPE", "pubsub");
                    default -> server.command("CLIENT", "KILL", "TYPE", "normal");
                }
            }
            pause(never, 2_000);
            System.out.printf(
                    "%d holds; %d processes killed, %d frozen, messages cut %d times, calls %d times%n",
                    holds.size(), did[0], did[1], did[2], did[3]);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        assertThat(surprises).isEmpty();
        judge();
    }

    private static void pause(CountDownLatch never, int millis) throws InterruptedException {
        assertThat(never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
    }

    private void judge() {
        List<Hold> byToken = holds.values().stream()
                .sorted(Comparator.comparingLong(Hold::token))
                .toList();
        // A busy machine makes few.
        assertThat(byToken).hasSizeGreaterThan(SECONDS * 2);
        long longest = 0;
        for (int i = 1; i < byToken.size(); i++) {
            Hold before = byToken.get(i - 1);
            Hold next = byToken.get(i);
            assertThat(next.from()).as("%s is followed by %s", before, next).isGreaterThanOrEqualTo(before.until());
            if (before.isReleased()) {
                longest = Math.max(longest, next.from() - before.until());
            }
        }
        System.out.printf("the longest time from a release to the next holder: %d ms%n", longest / 1_000_000);
        assertThat(Duration.ofNanos(longest)).isLessThan(LONGEST_GAP);
    }

    private Process start(String url) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx100m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HandOverStressTest.class.getName(),
                        url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread reader = new Thread(() -> read(process));
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void read(Process process) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard(line.split(" "));
            }
        } catch (IOException ended) {
            // killed
        }
    }

    private void heard(String[] words) {
        if (words.length < 3) {
            surprises.add(String.join(" ", words));
            return;
        }
        long token = Long.parseLong(words[1]);
        long at = Long.parseLong(words[2]);
        if (words[0].equals("GRANTED")) {
            Hold twice = holds.putIfAbsent(token, new Hold(token, at, at, false));
            if (twice != null) {
                surprises.add("token " + token + " twice");
            }
        } else {
            holds.computeIfPresent(
                    token, (same, hold) -> new Hold(token, hold.from(), at, words[0].equals("RELEASED")));
        }
    }

    /** A process whose clients hold the lock for a moment each, again and again. */
    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread thread = new Thread(() -> work(arguments[0]));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void work(String url) {
        Random random = new Random();
        LockOptions options = LockOptions.defaults().withLease(LEASE);
        CountDownLatch never = new CountDownLatch(1);
        try (LockClient locks = LockClient.connect(url)) {
            while (true) {
                try {
                    Duration patience = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(50) : 20_000);
                    Optional<Lease> got = locks.lock("stress", options).tryAcquire(patience);
                    if (got.isPresent()) {
                        try (Lease lease = got.get()) {
                            hold(lease, random.nextInt(10) == 0 ? random.nextInt(1_500) : random.nextInt(5), never);
                        }
                    }
                } catch (LockException expected) {
                    // cut off, or frozen for too long
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hold(Lease lease, int millis, CountDownLatch never) throws InterruptedException {
        sayIfHeld("GRANTED", lease);
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (System.nanoTime() < end) {
            if (never.await(1, TimeUnit.MILLISECONDS)) {
                return;
            }
            sayIfHeld("HOLDS", lease);
        }
        sayIfHeld("RELEASED", lease);
    }

    private static void sayIfHeld(String word, Lease lease) {
        long now = System.nanoTime();
        if (lease.isHeld()) {
            System.out.println(word + " " + lease.fencingToken() + " " + now);
        }
    }
}
