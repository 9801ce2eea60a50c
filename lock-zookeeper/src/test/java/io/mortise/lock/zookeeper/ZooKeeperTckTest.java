// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** One server. */
class ZooKeeperTckTest extends ZooKeeperTck {
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start("maxSessionTimeout=600000");
        startProxies(List.of(server));
    }

    @AfterAll
    static void stop() {
        stopProxies();
        server.close();
    }

    @Override
    List<ZooKeeperServer> servers() {
        return List.of(server);
    }

    @Override
    public void restartStore() {
        server.restart();
        NodeAccess.awaitWrites(server.connectString());
    }

    @Override
    public void restartStoreEmpty() {
        Assumptions.abort(
                "skipped: one server is no ensemble that survives a loss of data; what its clients do then is shown"
                        + " by RestartTest, and what those of an ensemble do by ZooKeeperEnsembleTckTest");
    }
}
