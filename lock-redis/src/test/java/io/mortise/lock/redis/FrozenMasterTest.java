// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A master of a Cluster that does not answer keeps no answer of the others from a batch of renewals. */
class FrozenMasterTest extends InACluster {
    private static final int LOCKS = 10;
    private static final Duration BRIEF = Duration.ofSeconds(4);

    private final String name = UUID.randomUUID() + "-";
    private RedisServer frozen;
    private List<Claim> silent;
    private List<Claim> healthy;

    @BeforeEach
    void hold() throws InterruptedException {
        frozen = cluster.masterOf(keys(name + 0).lock());
        silent = held(true);
        healthy = held(false);
    }

    /** Before the Cluster is to be healthy again. */
    @AfterEach
    void resume() {
        cluster.nodes().forEach(RedisServer::resume);
    }

    /** In the second batch no master is known of the slots that had no answer in the first. */
    @Test
    void theOthersAnswerEachBatch() throws InterruptedException {
        frozen.pause();

        for (int batch = 1; batch <= 3; batch++) {
            List<Answer> answers = renewed(silent, healthy);
            assertThat(answers.subList(0, LOCKS)).as("frozen, batch " + batch).containsOnly(Answer.UNKNOWN);
            assertThat(answers.subList(LOCKS, 2 * LOCKS))
                    .as("healthy, batch " + batch)
                    .containsOnly(Answer.YES);
        }
    }

    /** The client has met the new master, and knows of one slot only that it has it. */
    @Test
    void theOthersFollowSlotsThatHaveMoved() throws InterruptedException {
        cluster.handOver(keys(locks(false).get(0)).lock());
        assertThat(healthy.get(0).renew(Claims.LEASE, Claims.AMPLE)).isTrue();
        frozen.pause();

        assertThat(renewed(healthy, silent).subList(0, LOCKS)).containsOnly(Answer.YES);
    }

    @Test
    void itsSuccessorIsFoundAfterTheFailover() throws InterruptedException {
        frozen.pause();
        cluster.awaitMasterOtherThan(frozen, keys(name + 0).lock());

        // jedis may first ask the frozen server who is in the cluster, for longer than one batch lasts.
        await().atMost(Claims.AMPLE)
                .until(() -> renewed(silent, healthy).stream().allMatch(Answer.YES::equals));
    }

    private List<Answer> renewed(List<Claim> first, List<Claim> then) {
        List<Claim> all = new ArrayList<>(first);
        all.addAll(then);
        return backend.renewAll(Claims.renewals(all.toArray(Claim[]::new)), BRIEF);
    }

    /** Locks of the master that is to be frozen, or of the others. */
    private List<String> locks(boolean there) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + i)
                .filter(lock -> cluster.masterOf(keys(lock).lock()).equals(frozen) == there)
                .limit(LOCKS)
                .toList();
    }

    private List<Claim> held(boolean there) throws InterruptedException {
        List<Claim> claims = new ArrayList<>();
        for (String lock : locks(there)) {
            claims.add(granted(plain(backend, lock)));
        }
        return claims;
    }
}
