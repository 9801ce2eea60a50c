// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisSentinels;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that a URL names work with the versions of jedis that frameworks pin; the build puts their jars beside the classes. */
class VersionsTest extends RedisServerTest {
    private static final Path JARS = Path.of("target", "versions").toAbsolutePath();
    private static RedisSentinels sentinels;
    private static RedisCluster cluster;

    @BeforeAll
    static void startOthers() {
        sentinels = RedisSentinels.start();
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stopOthers() {
        cluster.close();
        sentinels.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0.0", "6.2.0", "7.0.0", "7.2.0", "7.4.1"})
    void everyKindOfStoreWorks(String version) {
        assertThat(ClientJvm.create()
                        .replacing(JARS.resolve("jedis-" + version + ".jar"))
                        .run(server.url(), sentinels.url(), cluster.url()))
                .extracting(ClientJvm.Result::outcome)
                .containsOnly("works");
    }

    /** jedis itself asks for slf4j 1.7. */
    @Test
    void anOlderLoggingApiWorks() {
        assertThat(ClientJvm.create()
                        .without("slf4j-nop")
                        .replacing(JARS.resolve("slf4j-api-1.7.36.jar"))
                        .run(server.url()))
                .extracting(ClientJvm.Result::outcome)
                .containsOnly("works");
    }
}
