// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** O4 in a Cluster: a slot that moves, is half moved or is served by nobody makes no answer a no, and loses no lock. */
class ClusterSlotsTest extends InACluster {
    @Test
    void allCallsFollowASlotToItsNewMaster() throws InterruptedException {
        Claim renewed = granted(plain(backend, "{a}-renewed"));
        Claim released = granted(plain(backend, "{b}-released"));
        Claim refusing = granted(plain(backend, "{c}-tried"));
        for (String lock : List.of("{a}-renewed", "{b}-released", "{c}-tried")) {
            cluster.handOver(keys(lock).lock());
        }

        assertThat(backend.renewAll(Claims.renewals(renewed), AMPLE)).containsExactly(Answer.YES);
        assertThat(released.release(AMPLE)).isTrue();
        refused(plain(backend, "{c}-tried"));
        assertThat(refusing.renew(LEASE, AMPLE)).isTrue();
    }

    @Test
    void aBatchIsRenewedAlthoughASlotHasMoved() throws InterruptedException {
        List<Claim> claims = List.of(
                granted(plain(backend, "one")),
                granted(plain(backend, "two")),
                granted(plain(backend, "three")),
                granted(plain(backend, "four")));
        cluster.handOver(keys("two").lock());

        assertThat(backend.renewAll(Claims.renewals(claims.toArray(Claim[]::new)), AMPLE))
                .containsOnly(Answer.YES);
        for (Claim claim : claims) {
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    @Test
    void aSlotThatIsBeingMovedAnswersNeitherYesNorNo() throws InterruptedException {
        String lock = "moving";
        Claim holder = granted(plain(backend, lock));
        Move move = Move.begin(lock);

        assertUnknown(() -> plain(backend, lock).tryAcquire(AMPLE)).hasMessageContaining("is being moved");
        assertUnknown(() -> holder.release(AMPLE)).hasMessageContaining("is being moved");
        // The usual renewal needs the key of the lock alone.
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(backend.renewAll(Claims.renewals(holder), AMPLE)).containsExactly(Answer.YES);
        // One that makes the lease shorter needs the queue as well.
        assertUnknown(() -> holder.renew(Duration.ofSeconds(5), AMPLE)).hasMessageContaining("is being moved");

        move.finish();
        assertThat(backend.renewAll(Claims.renewals(holder), AMPLE)).containsExactly(Answer.YES);
        refused(plain(backend, lock));
        assertThat(holder.release(AMPLE)).isTrue();
        free(backend, lock);
    }

    @Test
    void anUnservedSlotAnswersNeitherYesNorNo() throws InterruptedException {
        String lock = "unserved";
        Claim holder = granted(plain(backend, lock));
        RedisServer master = cluster.masterOf(keys(lock).lock());
        String slot = String.valueOf(keys(lock).slot());
        master.command("CLUSTER", "DELSLOTS", slot);

        assertUnknown(() -> plain(backend, lock).tryAcquire(AMPLE)).hasMessageContaining("lacks some slots");
        assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("lacks some slots");

        master.command("CLUSTER", "ADDSLOTS", slot);
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> holder.renew(LEASE, AMPLE));
        assertThat(holder.release(AMPLE)).isTrue();
    }

    @Test
    void listingDoesNotNeedTheReplicas() throws InterruptedException {
        Claim first = granted(plain(backend, "listed-1"));
        Claim second = granted(plain(backend, "listed-2"));
        RedisServer replica = cluster.nodes().stream()
                .filter(node -> says(node, "role:slave"))
                .findFirst()
                .orElseThrow();
        replica.stop();
        try {
            assertThat(backend.list("listed-", "", 10, AMPLE))
                    .extracting(LockHolder::lock)
                    .containsExactly("listed-1", "listed-2");
        } finally {
            replica.restart();
        }
        first.release(AMPLE);
        second.release(AMPLE);
    }

    @Test
    void aUserWithTheRulesFollowsASlot() throws InterruptedException {
        for (RedisServer node : cluster.nodes()) {
            AclUser.on(node, "app", AclUser.with(AclUser.RULES, AclUser.FOR_A_CLUSTER));
        }
        try (RedisBackend limited = Claims.open(cluster.url().replace("://", "://app:secret@"))) {
            Claim claim = granted(plain(limited, "limited"));
            cluster.handOver(keys("limited").lock());
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            Move move = Move.begin("elsewhere");
            assertUnknown(() -> plain(limited, "elsewhere").tryAcquire(AMPLE)).hasMessageContaining("is being moved");
            move.finish();
            assertThat(limited.list("limited", "", 10, AMPLE)).hasSize(1);
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    @Test
    void wrongCredentialsAreRefusedAtOnce() {
        String url = cluster.url().replace("redis+cluster://", "redis+cluster://nobody:secret@");

        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("user or password are wrong");
    }

    private static boolean says(RedisServer node, String line) {
        return String.valueOf(node.command("INFO", "replication")).contains(line);
    }

    /** A slot on its way from one master to another. */
    private record Move(String slot, RedisServer from, RedisServer to, String fromId, String toId, LockKeys keys) {
        /** The slot's new master expects it; the holder's key has arrived, the others have not. */
        static Move begin(String lock) {
            LockKeys keys = Claims.keys(lock);
            RedisServer from = cluster.masterOf(keys.lock());
            RedisServer to = cluster.nodes().stream()
                    .filter(node -> node != from && says(node, "role:master"))
                    .findFirst()
                    .orElseThrow();
            String slot = String.valueOf(keys.slot());
            String fromId = String.valueOf(from.command("CLUSTER", "MYID"));
            String toId = String.valueOf(to.command("CLUSTER", "MYID"));
            to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
            from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
            Move move = new Move(slot, from, to, fromId, toId, keys);
            move.carry(keys.lock());
            return move;
        }

        void finish() {
            carry(keys.token());
            to.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
            from.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
            cluster.awaitOk();
        }

        private void carry(String key) {
            assertThat(from.command("MIGRATE", to.host(), String.valueOf(to.port()), key, "0", "2000"))
                    .isIn("OK", "NOKEY");
        }
    }
}
