// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What waiters cost five servers, whether they hurt the holders, and what a frozen server costs. Runs only by name; the figures are in
 * docs/backends/redlock.md.
 */
class WaitingMeasurement {
    private static final Duration WAIT = Duration.ofMinutes(3);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int SECONDS = Integer.getInteger("mortise.waiting.seconds", 10);
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:(\\d+)");

    @Test
    void commandsOfWaitingNames() throws Exception {
        try (Five five = Five.start();
                LockClient holders = LockClient.connect(five.url());
                LockClient waiters = LockClient.connect(five.url())) {
            for (int names : new int[] {1, 50, 200}) {
                List<Lease> held = hold(holders, names, LEASE);
                List<CompletableFuture<Void>> waiting = waitFor(List.of(waiters), names);
                print(names + " names waited for by one client", five, names);
                held.forEach(Lease::close);
                CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                        .get(2, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void commandsOfWaitingClients() throws Exception {
        int clients = 50;
        List<LockClient> waiters = new ArrayList<>();
        try (Five five = Five.start();
                LockClient holder = LockClient.connect(five.url())) {
            for (int i = 0; i < clients; i++) {
                waiters.add(LockClient.connect(five.url()));
            }
            List<Lease> held = hold(holder, 1, LEASE);
            List<CompletableFuture<Void>> waiting = waitFor(waiters, 1);
            print(clients + " clients that wait for one name", five, clients);
            held.forEach(Lease::close);
            long released = System.nanoTime();
            CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
            System.out.printf(
                    Locale.ROOT,
                    "%d hand-overs, %.0f ms each on average%n",
                    clients,
                    (System.nanoTime() - released) / 1e6 / clients);
        } finally {
            waiters.forEach(LockClient::close);
        }
    }

    /** Each wait has a thread of its own, and gives the lock back at once. */
    private static List<CompletableFuture<Void>> waitFor(List<LockClient> clients, int names) throws Exception {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(clients.size() * names);
        for (LockClient client : clients) {
            for (int i = 0; i < names; i++) {
                String name = "name-" + i;
                CompletableFuture<Void> done = new CompletableFuture<>();
                waiting.add(done);
                Thread waiter = new Thread(() -> {
                    started.countDown();
                    try {
                        client.lock(name, LockOptions.defaults().withLease(LEASE))
                                .tryAcquire(WAIT)
                                .orElseThrow()
                                .close();
                        done.complete(null);
                    } catch (Throwable failure) {
                        done.completeExceptionally(failure);
                    }
                });
                waiter.setDaemon(true);
                waiter.start();
            }
        }
        started.await();
        return waiting;
    }

    private static List<Lease> hold(LockClient client, int names, Duration lease) throws InterruptedException {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            held.add(client.lock("name-" + i, LockOptions.defaults().withLease(lease))
                    .tryAcquire(WAIT)
                    .orElseThrow());
        }
        return held;
    }

    private static void print(String what, Five five, int waits) {
        pass(Duration.ofSeconds(2));
        long began = System.nanoTime();
        long before = commands(five);
        pass(Duration.ofSeconds(SECONDS));
        double each = (commands(five) - before) / ((System.nanoTime() - began) / 1e9) / waits;
        System.out.printf(Locale.ROOT, "%s: %.1f commands/s each, over five servers%n", what, each);
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await().atMost(time.multipliedBy(2).plusSeconds(5)).until(() -> end - System.nanoTime() <= 0);
    }

    private static long commands(Five five) {
        long sum = 0;
        for (RedisServer server : five.all()) {
            Matcher matcher = COMMANDS.matcher(String.valueOf(server.command("INFO", "stats")));
            assertThat(matcher.find()).isTrue();
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }

    @Test
    void holdersBesideWaitersFarAway() throws Exception {
        int names = 300;
        Duration lease = Duration.ofSeconds(6);
        List<TcpProxy> proxies = new ArrayList<>();
        AtomicInteger atRisk = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (Five five = Five.start()) {
            for (RedisServer server : five.all()) {
                proxies.add(TcpProxy.to(server.host(), server.port()));
            }
            String url = Five.url(proxies.stream()
                    .map(proxy -> proxy.host() + ":" + proxy.port())
                    .toList());
            proxies.forEach(proxy -> proxy.delayReplies(Duration.ofMillis(30)));
            LockOptions options = LockOptions.defaults().withLease(lease);
            try (LockClient client = LockClient.connect(url);
                    LockClient other = LockClient.connect(url)) {
                List<Lease> held = new ArrayList<>();
                for (int i = 0; i < names; i++) {
                    Lease got = other.lock("name-" + i, options).acquire();
                    got.whenAtRisk((one, remaining) -> atRisk.incrementAndGet());
                    got.whenLost((one, loss) -> lost.incrementAndGet());
                    held.add(got);
                }
                CountDownLatch done = new CountDownLatch(names);
                for (int i = 0; i < names; i++) {
                    String name = "name-" + i;
                    Thread waiter = new Thread(() -> {
                        try {
                            Lease got = client.lock(name, options).acquire();
                            got.whenAtRisk((one, remaining) -> atRisk.incrementAndGet());
                            got.whenLost((one, loss) -> lost.incrementAndGet());
                            pass(Duration.ofSeconds(4));
                            got.close();
                        } catch (Throwable failure) {
                            failures.add(failure);
                        } finally {
                            done.countDown();
                        }
                    });
                    waiter.setDaemon(true);
                    waiter.start();
                }
                pass(Duration.ofSeconds(15));
                long began = System.nanoTime();
                held.forEach(Lease::close);
                System.out.printf(Locale.ROOT, "%d releases took %.1f s%n", names, (System.nanoTime() - began) / 1e9);
                assertThat(done.await(2, TimeUnit.MINUTES)).isTrue();
                System.out.printf(
                        Locale.ROOT,
                        "%d names, replies late by 30 ms, leases of 6 s: %d calls failed, %d leases at risk, %d lost; all handed"
                                + " over after %.1f s%n",
                        names,
                        failures.size(),
                        atRisk.get(),
                        lost.get(),
                        (System.nanoTime() - began) / 1e9);
                failures.stream().limit(3).forEach(System.out::println);
            }
        } finally {
            proxies.forEach(TcpProxy::close);
        }
    }

    @Test
    void oneFrozenServer() {
        int rounds = 10;
        int cycles = Integer.getInteger("mortise.waiting.cycles", 300);
        try (Five five = Five.start();
                LockClient client = LockClient.connect(five.url())) {
            median(client, 10 * cycles);
            double[] ratios = new double[rounds];
            long[] healthy = new long[rounds];
            long[] frozen = new long[rounds];
            for (int round = 0; round < rounds; round++) {
                healthy[round] = median(client, cycles);
                RedisServer victim = five.get(round % 5);
                victim.pause();
                try {
                    frozen[round] = median(client, cycles);
                } finally {
                    victim.resume();
                }
                ratios[round] = (double) frozen[round] / healthy[round];
                median(client, cycles);
            }
            Arrays.sort(ratios);
            Arrays.sort(healthy);
            Arrays.sort(frozen);
            System.out.printf(
                    Locale.ROOT,
                    "acquire + release, p50: five servers %.2f ms, one of them frozen %.2f ms, ratio %.2f (%.2f to %.2f)%n",
                    healthy[rounds / 2] / 1e6,
                    frozen[rounds / 2] / 1e6,
                    ratios[rounds / 2],
                    ratios[0],
                    ratios[rounds - 1]);
        }
    }

    private static long median(LockClient client, int cycles) {
        long[] took = new long[cycles];
        for (int i = 0; i < cycles; i++) {
            long start = System.nanoTime();
            client.lock("cycle").tryAcquire().orElseThrow().close();
            took[i] = System.nanoTime() - start;
        }
        Arrays.sort(took);
        return took[cycles / 2];
    }
}
