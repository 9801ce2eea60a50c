// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.DropRule;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** K1, K3, K7: what happens to waiters whose messages are lost, held up, or not meant. Their calls go another way. */
class SubscriptionTest {
    private static final LockOptions LASTING = LockOptions.defaults().withLease(Duration.ofMinutes(2));
    private RedisServer server;
    private TcpProxy messages;
    private RedisClient redis;
    private LockClient holder;
    private LockClient waiter;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        messages = TcpProxy.to(server.host(), server.port());
        redis = RedisClient.create(server.host(), server.port());
        DefaultJedisClientConfig listening = DefaultJedisClientConfig.builder()
                .resp2()
                .blockingSocketTimeoutMillis(ReleaseListener.SILENCE_MILLIS)
                .build();
        waiter = LockClient.builder(RedisBackend.builder(redis)
                        .listening(() -> new Connection(new HostAndPort(messages.host(), messages.port()), listening))
                        .build())
                .build();
        holder = LockClient.connect(server.url());
    }

    @AfterEach
    void stop() {
        waiter.close();
        holder.close();
        redis.close();
        messages.close();
        server.close();
    }

    /** K1, K7: nobody says that the lock is free, so the waiter looks when the holder's lease would have ended. */
    @Test
    void aLostMessageCostsAtMostTheHoldersLease() throws Exception {
        Lease held = holder.lock("lock", LockOptions.defaults().withLease(Duration.ofSeconds(4)))
                .acquire();
        BackgroundTask<Lease> waiting = waitingFor("lock");
        messages.freeze();
        assertThat(held.release()).isTrue();

        assertThat(waiting.get(Duration.ofSeconds(8)).release()).isTrue();
    }

    /** K7: without a subscription waiters ask, those that come now too, and get the lock soon after it is free. */
    @Test
    void waitersPollWhileThereIsNoSubscription() throws Exception {
        Lease held = holder.lock("lock", LASTING).acquire();
        BackgroundTask<Lease> before = waitingFor("lock");
        messages.cut();
        Lease other = holder.lock("other", LASTING).acquire();
        BackgroundTask<Lease> meanwhile = new BackgroundTask<>(
                "waiting meanwhile", () -> waiter.lock("other", LASTING).acquire());
        await().during(Duration.ofMillis(500)).until(() -> !before.isDone() && !meanwhile.isDone());
        assertThat(held.release()).isTrue();
        assertThat(other.release()).isTrue();

        assertThat(before.get(Duration.ofSeconds(5)).release()).isTrue();
        assertThat(meanwhile.get(Duration.ofSeconds(5)).release()).isTrue();
    }

    /** K7: and they listen again when they can. */
    @Test
    void aCutSubscriptionIsReplaced() throws Exception {
        Lease held = holder.lock("lock", LASTING).acquire();
        BackgroundTask<Lease> waiting = waitingFor("lock");
        long before = messages.accepted();
        messages.killConnections();
        await().atMost(Duration.ofSeconds(20)).until(() -> messages.accepted() > before && listens());
        server.command("CONFIG", "RESETSTAT");
        assertThat(held.release()).isTrue();

        assertThat(waiting.get(Duration.ofSeconds(5)).release()).isTrue();
        // It was told, and has not been asking all the time.
        assertThat(server.commandStats().get("evalsha")).isLessThan(6);
    }

    /** K7: a connection through which nothing comes any more, without a word of its end, is noticed and replaced. */
    @Test
    void aSilentSubscriptionIsNoticedAndReplaced() throws Exception {
        Lease held = holder.lock("lock", LASTING).acquire();
        BackgroundTask<Lease> waiting = waitingFor("lock");
        long before = messages.accepted();
        messages.dropNext(new DropRule(DropRule.What.REPLY, "PING", DropRule.Then.HANG));
        await().atMost(Duration.ofSeconds(20)).until(() -> messages.dropped() == 1);
        await().atMost(Duration.ofMillis(ReleaseListener.SILENCE_MILLIS).plusSeconds(10))
                .until(() -> messages.accepted() > before && listens());
        assertThat(waiting.isDone()).isFalse();
        assertThat(held.release()).isTrue();

        assertThat(waiting.get(Duration.ofSeconds(5)).release()).isTrue();
    }

    /** K1: the lock becomes free while the waiter's subscription is on its way. */
    @Test
    void aReleaseBeforeTheSubscriptionIsConfirmedIsNotMissed() throws Exception {
        for (int i = 0; i < 8; i++) {
            String lock = "lock-" + i;
            Lease held = holder.lock(lock, LASTING).acquire();
            messages.killConnections();
            messages.delayReplies(Duration.ofMillis(10L * i));
            BackgroundTask<Lease> waiting = new BackgroundTask<>(
                    "waiter", () -> waiter.lock(lock, LASTING).acquire());
            await().pollDelay(Duration.ofMillis(5L * i)).until(() -> true);
            assertThat(held.release()).isTrue();

            assertThat(waiting.get(Duration.ofSeconds(5)).release()).isTrue();
            messages.heal();
        }
    }

    /** C9: a claim that gave up while Redis was away is not kept forever among those that are nudged. */
    @Test
    void aClaimThatGaveUpDuringAnOutageIsNotNudged() throws Exception {
        AtomicInteger nudges = new AtomicInteger();
        AtomicInteger nudgesOfTheOther = new AtomicInteger();
        Lease held = holder.lock("lock", LASTING).acquire();
        try (RedisBackend backend = Claims.open("redis://" + messages.host() + ":" + messages.port())) {
            Claim givesUp = Claims.waiting(backend, "lock", nudges::incrementAndGet);
            Claim goesOn = Claims.waiting(backend, "lock", nudgesOfTheOther::incrementAndGet);
            Claims.refused(givesUp);
            Claims.refused(goesOn);
            messages.cut();
            await().atMost(Duration.ofSeconds(20)).until(() -> nudges.get() > 0 && nudgesOfTheOther.get() > 0);
            Claims.assertUnknown(() -> givesUp.release(Duration.ofMillis(200)));
            int before = nudges.get();
            int others = nudgesOfTheOther.get();
            await().atMost(Duration.ofSeconds(20)).until(() -> nudgesOfTheOther.get() > others + 2);

            // One may have been on its way.
            assertThat(nudges.get()).isLessThanOrEqualTo(before + 1);
            messages.heal();
        }
        assertThat(held.release()).isTrue();
    }

    /** K3: anybody may publish anything; a waiter that is told something looks at most, and goes on waiting. */
    @Test
    void needlessMessagesAreHarmless() throws Exception {
        Lease held = holder.lock("lock", LASTING).acquire();
        BackgroundTask<Lease> waiting = waitingFor("lock");
        String channel = channels().get(0).toString();
        for (String message : List.of(
                "",
                "call",
                "call ",
                "call x",
                "call -1",
                "call 99",
                "hello",
                "call 1",
                "watch 1",
                "granted 1",
                "granted 1 ",
                "granted 1 0 7",
                "granted 1 00ff x",
                "granted x 00ff 7")) {
            for (int i = 0; i < 20; i++) {
                server.command("PUBLISH", channel, message);
            }
        }
        await().during(Duration.ofMillis(1_500)).atMost(Duration.ofSeconds(20)).until(() -> !waiting.isDone());
        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(waiting.get(Duration.ofSeconds(5)).release()).isTrue();
    }

    /** K7: an error of the JVM while connecting is no reason to never listen again. */
    @Test
    void anErrorWhileConnectingEndsNothing() throws Exception {
        AtomicInteger connects = new AtomicInteger();
        ReleaseListener listener = new ReleaseListener(
                () -> {
                    if (connects.incrementAndGet() <= 2) {
                        throw new NoClassDefFoundError("test");
                    }
                    return connection();
                },
                "mortise:client:test");
        try (listener) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            CallDeadline.<Boolean>uninterruptibly("Redis", Duration.ofSeconds(1), listener::awaitLive));
            assertThat(connects).hasValue(3);
        }
    }

    /** K7: tasks of the application that fill the threads that all share delay no look at a lock. */
    @Test
    void nudgesComeWhileTheCommonPoolIsBlocked() throws Exception {
        AtomicInteger nudges = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        try (ReleaseListener listener = new ReleaseListener(this::connection, "mortise:client:test")) {
            long id = listener.register(message -> nudges.incrementAndGet());
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            CallDeadline.<Boolean>uninterruptibly("Redis", Duration.ofSeconds(1), listener::awaitLive));
            int before = nudges.get();
            for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism() + 1; i++) {
                ForkJoinPool.commonPool().execute(() -> awaitUninterruptibly(end));
            }
            server.command("PUBLISH", "mortise:client:test", "watch " + id);
            server.command("PUBLISH", "mortise:client:test", "watch " + id);

            await().atMost(Duration.ofSeconds(20)).until(() -> nudges.get() == before + 2);
        } finally {
            end.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private Connection connection() {
        return new Connection(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder().resp2().build());
    }

    private BackgroundTask<Lease> waitingFor(String lock) {
        BackgroundTask<Lease> waiting =
                new BackgroundTask<>("waiter", () -> waiter.lock(lock, LASTING).acquire());
        await().until(() -> holder.lock(lock).holder().orElseThrow().waiters().orElse(0) == 1);
        return waiting;
    }

    private boolean listens() {
        return !channels().isEmpty();
    }

    private List<?> channels() {
        return server.command("PUBSUB", "CHANNELS", "mortise:client:*") instanceof List<?> channels
                ? channels
                : List.of();
    }
}
