// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.ZooKeeperEnsemble;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;

/** An ensemble of three ZooKeeper servers. */
public final class EnsembleScenario extends ZooKeeperScenario {
    private final ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();

    @Override
    List<ZooKeeperServer> servers() {
        return ensemble.servers();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(super.faults());
        faults.addAll(List.of(
                Fault.of("leader killed", random -> killed(ensemble.leader())),
                Fault.of("follower killed", random -> killed(ensemble.follower())),
                Fault.of("leader cut off", random -> cutOff(ensemble.leader())),
                Fault.of("follower cut off", random -> cutOff(ensemble.follower())),
                Fault.of("leader frozen", random -> ServerFaults.frozen(ensemble.leader())),
                Fault.of("follower frozen", random -> ServerFaults.frozen(ensemble.follower())),
                Fault.of("follower restarted without data", random -> {
                            ensemble.follower().restartEmpty();
                            return ensemble::restartMissing;
                        })
                        .atMost(500),
                Fault.of("all killed", random -> {
                            ensemble.servers().forEach(ZooKeeperServer::kill);
                            return ensemble::restartMissing;
                        })
                        .atMost(2_000)));
        return faults;
    }

    private Fault.Step killed(ZooKeeperServer server) {
        server.kill();
        return ensemble::restartMissing;
    }

    private Fault.Step cutOff(ZooKeeperServer server) {
        ensemble.cutOff(server);
        return ensemble::heal;
    }

    @Override
    protected void stop() {
        ensemble.close();
    }
}
