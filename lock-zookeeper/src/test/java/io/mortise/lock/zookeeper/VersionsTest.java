// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.process.ClientJvm;
import io.mortise.lock.tck.servers.process.JvmClassPath;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Does all that clients do, with other versions of Curator, of ZooKeeper's client and of its server than the ones that the suite runs
 * with. Maven copies these jars to {@code target/versions}: pom.xml lists them.
 */
class VersionsTest {
    private static Path jar(String name) {
        return Path.of("target", "versions", name).toAbsolutePath();
    }

    private static String outcome(String url, String... jars) {
        ClientJvm client = ClientJvm.create();
        for (String name : jars) {
            client = client.replacing(jar(name));
        }
        return client.run(url).get(0).outcome();
    }

    @Test
    void curatorAndZooKeepersClient() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            assertThat(outcome(server.url(), "zookeeper-3.8.4.jar", "zookeeper-jute-3.8.4.jar"))
                    .isEqualTo("works");
            assertThat(outcome(
                            server.url(),
                            "curator-client-5.5.0.jar",
                            "curator-framework-5.5.0.jar",
                            "curator-recipes-5.5.0.jar"))
                    .isEqualTo("works");
            assertThat(outcome(
                            server.url(),
                            "curator-client-5.2.1.jar",
                            "curator-framework-5.2.1.jar",
                            "curator-recipes-5.2.1.jar",
                            "zookeeper-3.6.4.jar",
                            "zookeeper-jute-3.6.4.jar"))
                    .isEqualTo("works");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.6.4", "3.8.4"})
    void zooKeepersServer(String version) {
        JvmClassPath classPath = JvmClassPath.own()
                .replacing(jar("zookeeper-" + version + ".jar"))
                .replacing(jar("zookeeper-jute-" + version + ".jar"));
        try (ZooKeeperServer server = ZooKeeperServer.startWith(classPath)) {
            assertThat(server.monitor().get("zk_version")).startsWith(version + "-");
            assertThat(outcome(server.url())).isEqualTo("works");
        }
    }
}
