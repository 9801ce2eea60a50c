// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.servers.ZooKeeperEnsemble;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Three servers, of which one is away for a part of the run: first one that follows, then the one that leads. */
@Variant(of = ZooKeeperTckTest.class)
class ZooKeeperEnsembleTckTest extends ZooKeeperTck {
    private static ZooKeeperEnsemble ensemble;
    private static int cases;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start();
        startProxies(ensemble.servers());
    }

    @AfterAll
    static void stop() {
        stopProxies();
        ensemble.close();
    }

    @BeforeEach
    void killAndRestart() {
        cases++;
        if (cases == 20) {
            ensemble.follower().kill();
        } else if (cases == 60) {
            restartMissing();
            ensemble.leader().kill();
            NodeAccess.awaitWrites(ensemble.connectString());
        } else if (cases == 100) {
            restartMissing();
        }
    }

    @Override
    List<ZooKeeperServer> servers() {
        return ensemble.servers();
    }

    private static void restartMissing() {
        ensemble.restartMissing();
        NodeAccess.awaitWrites(ensemble.connectString());
    }

    @Override
    public void restartStore() {
        ensemble.servers().forEach(ZooKeeperServer::stop);
        restartMissing();
    }

    /** One of three, which is what three survive. */
    @Override
    public void restartStoreEmpty() {
        restartMissing();
        ensemble.follower().restartEmpty();
        restartMissing();
    }
}
