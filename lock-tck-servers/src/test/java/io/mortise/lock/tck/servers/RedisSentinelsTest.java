// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisSentinelsTest {
    private static RedisSentinels set;

    @BeforeAll
    static void start() {
        set = RedisSentinels.start();
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    @BeforeEach
    void beWell() {
        set.servers().stream().filter(server -> !server.isRunning()).forEach(RedisServer::restart);
        set.awaitHealthy();
    }

    @Test
    void isThreeServersAndThreeSentinels() {
        assertThat(set.servers()).hasSize(3).contains(set.master());
        assertThat(set.sentinels()).hasSize(3);
        assertThat(set.url())
                .matches("redis\\+sentinel://127\\.0\\.0\\.1:\\d+,127\\.0\\.0\\.1:\\d+,127\\.0\\.0\\.1:\\d+/master");
    }

    @Test
    void replicasHaveWhatWasConfirmed() {
        RedisServer master = set.master();

        assertThat(master.replicate(2, "SET", "name", "value")).isEqualTo("OK");

        assertThat(set.servers())
                .allSatisfy(server -> assertThat(server.command("GET", "name")).isEqualTo("value"));
        assertThatThrownBy(() -> master.replicate(3, "SET", "name", "value"))
                .hasMessage("only 2 of 3 replicas have SET of " + master.url());
    }

    @Test
    void failsOverOnDemand() {
        RedisServer old = set.master();

        RedisServer master = set.failOver();

        assertThat(master).isNotSameAs(old);
        assertThat(set.master()).isSameAs(master);
        assertThat(master.command("SET", "name", "value")).isEqualTo("OK");
    }

    @Test
    void failsOverWhenTheMasterIsKilledWhichComesBackAsAReplica() {
        RedisServer old = set.master();
        old.replicate(2, "SET", "name", "value");
        old.kill();

        RedisServer master = set.awaitMasterOtherThan(old);
        assertThat(master.command("GET", "name")).isEqualTo("value");

        old.restart();
        set.awaitHealthy();
        assertThat(set.master()).isSameAs(master);
        assertThat(old.command("ROLE"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .contains("slave");
    }

    @Test
    void failsOverWhenTheMasterIsPaused() {
        RedisServer old = set.master();
        old.pause();
        try {
            assertThat(set.awaitMasterOtherThan(old).command("SET", "name", "value"))
                    .isEqualTo("OK");
        } finally {
            old.resume();
        }
    }

    @Test
    void oneSentinelMayBeMissing() {
        List<RedisServer> sentinels = set.sentinels();
        sentinels.get(0).kill();
        try {
            RedisServer old = set.master();
            old.kill();

            assertThat(set.awaitMasterOtherThan(old).command("PING")).isEqualTo("PONG");
        } finally {
            sentinels.get(0).restart();
        }
    }
}
