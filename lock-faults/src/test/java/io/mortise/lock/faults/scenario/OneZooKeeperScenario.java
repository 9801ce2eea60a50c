// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;

/** One ZooKeeper server. */
public final class OneZooKeeperScenario extends ZooKeeperScenario {
    private final ZooKeeperServer server = ZooKeeperServer.start();

    @Override
    List<ZooKeeperServer> servers() {
        return List.of(server);
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(super.faults());
        faults.addAll(ServerFaults.withData(servers()));
        return faults;
    }

    @Override
    public List<String> leftOut() {
        return List.of("restart without data: one server is no ensemble that survives it");
    }

    @Override
    protected void stop() {
        server.close();
    }
}
