// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** O4, C7, K8: mistakes that only a Cluster shows are caught by what the right lock passes. */
class WrongLocksInAClusterTest extends InACluster {
    /** How long a grant is kept at least for a claim that does not confirm it. */
    private static final Duration KEPT = Duration.ofMillis(600);

    @Test
    void takingTryAgainForANoIsCaught() throws Exception {
        try (LockBackend right = EditedScripts.openUnedited(cluster.url())) {
            aSlotThatIsBeingMovedAnswersNeitherYesNorNo(right, "on-its-way");
            assertThatThrownBy(() -> aSlotThatIsBeingMovedAnswersNeitherYesNorNo(
                            WrongLocks.takesRefusalsForNo(right), "on-its-way-too"))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static void aSlotThatIsBeingMovedAnswersNeitherYesNorNo(LockBackend backend, String lock) throws Exception {
        Claim holder = granted(backend, lock);
        RedisServer from = cluster.masterOf(keys(lock).lock());
        RedisServer to = otherMaster(from);
        String slot = String.valueOf(keys(lock).slot());
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
        try {
            // The holder's key is here, others of the lock are not, and may be there. A renewal needs that key alone.
            assertNeitherYesNorNo(backend, lock, holder, "TRYAGAIN");
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        } finally {
            to.command("CLUSTER", "SETSLOT", slot, "STABLE");
            from.command("CLUSTER", "SETSLOT", slot, "STABLE");
        }
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(holder.release(AMPLE)).isTrue();
    }

    @Test
    void takingADownClusterForANoIsCaught() throws Exception {
        try (LockBackend right = EditedScripts.openUnedited(cluster.url())) {
            anUnservedSlotAnswersNeitherYesNorNo(right, "down");
            assertThatThrownBy(() ->
                            anUnservedSlotAnswersNeitherYesNorNo(WrongLocks.takesRefusalsForNo(right), "down-too"))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static void anUnservedSlotAnswersNeitherYesNorNo(LockBackend backend, String lock) throws Exception {
        Claim holder = granted(backend, lock);
        RedisServer master = cluster.masterOf(keys(lock).lock());
        String slot = String.valueOf(keys(lock).slot());
        master.command("CLUSTER", "DELSLOTS", slot);
        try {
            assertNeitherYesNorNo(backend, lock, holder, "CLUSTERDOWN");
            assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("CLUSTERDOWN");
        } finally {
            master.command("CLUSTER", "ADDSLOTS", slot);
            cluster.awaitOk();
        }
        await().atMost(Duration.ofSeconds(15)).ignoreExceptions().until(() -> holder.renew(LEASE, AMPLE));
        assertThat(holder.release(AMPLE)).isTrue();
    }

    /** A client of one server would be sent to another, and does not know the way. */
    @Test
    void aServerOfAClusterIsNotOpenedAlone() {
        for (RedisServer server : cluster.nodes()) {
            try (RedisClient client = RedisClient.create(server.url())) {
                assertThatThrownBy(() -> RedisBackend.builder(client).build())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("redis+cluster:");
            }
        }
    }

    /** PUBLISH counts those who listen at the server that runs it; in a Cluster that is no sign of life. */
    @Test
    void countingListenersInAClusterIsCaught() throws Exception {
        waitersKeepTheirOrderWhereverTheyListen(EditedScripts::openUnedited);
        assertThatThrownBy(() -> waitersKeepTheirOrderWhereverTheyListen(
                        url -> EditedScripts.open(url, "> 0 or reachable == 'unknown' then", "> 0 then")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("first in line");
    }

    private static void waitersKeepTheirOrderWhereverTheyListen(Function<String, LockBackend> lock) throws Exception {
        try (LockBackend holding = lock.apply(cluster.url());
                LockBackend waiting = lock.apply(cluster.url())) {
            for (String name : oneNameOfEachMaster()) {
                boolean known = false;
                for (int attempt = 0; attempt < 10 && !known; attempt++) {
                    known = theFirstIsServedFirst(holding, waiting, name);
                }
                assertThat(known).as("this host is quick enough to tell").isTrue();
            }
        }
    }

    /** False if this host was so slow that the lock need not be kept for the first any more. */
    private static boolean theFirstIsServedFirst(LockBackend holding, LockBackend waiting, String name)
            throws Exception {
        Claim holder = granted(holding, name);
        Claim first = inLine(waiting, name, 1);
        Claim second = inLine(waiting, name, 2);
        long released = System.nanoTime();
        assertThat(holder.release(AMPLE)).isTrue();
        boolean isGrantedToTheSecond = second.tryAcquire(AMPLE);
        boolean isKnown = System.nanoTime() - released < KEPT.toNanos();
        if (isKnown) {
            assertThat(isGrantedToTheSecond)
                    .as("the lock is kept for the first in line")
                    .isFalse();
            assertThat(first.tryAcquire(AMPLE)).isTrue();
        }
        first.release(AMPLE);
        if (isKnown) {
            assertThat(second.tryAcquire(AMPLE)).isTrue();
        }
        second.release(AMPLE);
        return isKnown;
    }

    /** A claim that has that place: it has none until its client can be told of a grant. */
    private static Claim inLine(LockBackend waiting, String name, int place) {
        Claim claim = waiting.claim(request(name, LEASE, true), () -> {});
        await().atMost(AMPLE).until(() -> {
            refused(claim);
            return waiting.inspect(name, AMPLE).orElseThrow().waiters().orElse(0) == place;
        });
        return claim;
    }

    private static Collection<String> oneNameOfEachMaster() {
        Map<RedisServer, String> names = new HashMap<>();
        IntStream.range(0, 100)
                .mapToObj(i -> "name-" + i)
                .forEach(name -> names.putIfAbsent(cluster.masterOf(keys(name).lock()), name));
        assertThat(names).hasSize(3);
        return names.values();
    }

    private static void assertNeitherYesNorNo(LockBackend backend, String lock, Claim holder, String because) {
        assertUnknown(() -> backend.claim(request(lock, LEASE, false), () -> {}).tryAcquire(AMPLE))
                .hasMessageContaining(because);
        assertUnknown(() -> holder.release(AMPLE)).hasMessageContaining(because);
    }

    private static Claim granted(LockBackend backend, String lock) throws InterruptedException {
        return Claims.granted(backend.claim(request(lock, LEASE, false), () -> {}));
    }

    private static RedisServer otherMaster(RedisServer master) {
        return cluster.nodes().stream()
                .filter(node -> node != master)
                .filter(node ->
                        String.valueOf(node.command("INFO", "replication")).contains("role:master"))
                .findFirst()
                .orElseThrow();
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }
}
