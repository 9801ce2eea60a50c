// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void beWell() {
        cluster.nodes().stream().filter(node -> !node.isRunning()).forEach(RedisServer::restart);
        cluster.awaitHealthy();
        cluster.flush();
    }

    @Test
    void isSixNodesOfWhichThreeServe() {
        Set<RedisServer> serving = IntStream.range(0, 1000)
                .mapToObj(i -> cluster.masterOf("key" + i))
                .collect(Collectors.toSet());

        assertThat(serving).hasSize(3);
        assertThat(cluster.nodes()).hasSize(6).containsAll(serving);
        assertThat(cluster.url()).matches("redis\\+cluster://(127\\.0\\.0\\.1:\\d+,){5}127\\.0\\.0\\.1:\\d+");
    }

    @Test
    void aKeyHasOneNode() {
        RedisServer master = cluster.masterOf("{name}");
        List<RedisServer> others =
                cluster.nodes().stream().filter(node -> node != master).toList();

        assertThat(master.replicate(1, "SET", "{name}", "value")).isEqualTo("OK");
        assertThat(others).allSatisfy(other -> assertThatThrownBy(() -> other.command("GET", "{name}"))
                .hasMessageStartingWith("MOVED")
                .hasMessageEndingWith(":" + master.port()));
    }

    @Test
    void flushesAllNodes() {
        Object script = cluster.nodes().get(5).command("SCRIPT", "LOAD", "return 1");
        cluster.masterOf("name").command("SET", "name", "value");

        cluster.flush();

        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.command("DBSIZE")).isEqualTo(0L));
        assertThat(cluster.nodes().get(5).command("SCRIPT", "EXISTS", String.valueOf(script)))
                .isEqualTo(List.of(0L));
    }

    @Test
    void aMasterHandsOverAgainAndAgainWithoutLosingAWrite() {
        for (int i = 0; i < 4; i++) {
            RedisServer old = cluster.masterOf("name");
            old.command("SET", "name", "value " + i);

            RedisServer master = cluster.handOver("name");

            assertThat(master).isNotSameAs(old).isSameAs(cluster.masterOf("name"));
            assertThat(master.command("GET", "name")).isEqualTo("value " + i);
        }
        cluster.awaitHealthy();
    }

    @Test
    void aReplicaTakesOverFromAKilledMasterWhichComesBackAsItsReplica() {
        RedisServer old = cluster.masterOf("name");
        old.replicate(1, "SET", "name", "value");

        old.kill();
        RedisServer master = cluster.awaitMasterOtherThan(old, "name");
        assertThat(master.command("GET", "name")).isEqualTo("value");

        cluster.awaitOk();
        old.restart();
        cluster.awaitHealthy();
        assertThat(cluster.masterOf("name")).isSameAs(master);
    }

    @Test
    void aReplicaTakesOverFromAPausedMaster() {
        RedisServer old = cluster.masterOf("name");
        old.pause();
        try {
            assertThat(cluster.awaitMasterOtherThan(old, "name").command("SET", "name", "value"))
                    .isEqualTo("OK");
        } finally {
            old.resume();
        }
    }
}
