// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P11: members that have become replicas of another member say what that one says. */
@Timeout(120)
class ReplicaMemberTest {
    private final Five five = Five.start();

    @AfterEach
    void stop() {
        five.close();
    }

    @Test
    void replicasHaveNoVoteAndTheOthersGrant() {
        try (LockClient client = LockClient.connect(five.url())) {
            makeReplicas(List.of(five.get(1), five.get(3)), five.get(0));

            for (int i = 0; i < 10; i++) {
                assertThat(client.lock("fresh-" + i).tryAcquire()).isPresent();
            }
        }
    }

    @Test
    void aQuorumIsOpenedWhileAMemberIsAReplica() {
        makeReplicas(List.of(five.get(2)), five.get(0));
        try (LockClient client = LockClient.connect(five.url())) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.lock("fresh-" + i).tryAcquire()).isPresent();
            }
        }
    }

    @Test
    void aMajorityOfReplicasIsARefusalThatNamesThem() {
        try (LockClient client = LockClient.connect(five.url())) {
            makeReplicas(List.of(five.get(1), five.get(3), five.get(4)), five.get(0));

            for (int i = 0; i < 10; i++) {
                String name = "fresh-" + i;
                assertThatThrownBy(() -> client.lock(name).tryAcquire())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContainingAll(
                                Five.address(five.get(1)) + " refused: this server is a replica",
                                Five.address(five.get(3)),
                                Five.address(five.get(4)))
                        .hasMessageNotContaining(Five.address(five.get(2)));
            }
        }
    }

    /** New connections ask for the role: what is known of a connection is kept for some seconds. */
    private static void makeReplicas(List<RedisServer> servers, RedisServer master) {
        for (RedisServer server : servers) {
            server.command("REPLICAOF", master.host(), String.valueOf(master.port()));
        }
        for (RedisServer server : servers) {
            await("the replica follows its master")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> String.valueOf(server.command("INFO", "replication"))
                            .contains("master_link_status:up"));
            server.command("CLIENT", "KILL", "TYPE", "normal");
        }
    }
}
