// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import org.junit.jupiter.api.Test;

/** What works is shown by the tests of {@code lock-zookeeper}, which has ZooKeeper on its class path. */
class ZooKeeperServerTest {
    @Test
    void withoutZooKeeperOnTheClassPathItTellsWhatToAdd() {
        assertThatThrownBy(() -> ZooKeeperServer.start())
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("org.apache.zookeeper:zookeeper");
    }

    @Test
    void anEnsembleTellsItToo() {
        assertThatThrownBy(() -> ZooKeeperEnsemble.start()).isInstanceOf(ServerUnavailableException.class);
    }
}
