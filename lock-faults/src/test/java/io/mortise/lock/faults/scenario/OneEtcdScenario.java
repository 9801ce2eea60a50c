// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.EtcdServer;
import java.util.ArrayList;
import java.util.List;

/** A cluster of etcd with one member. */
public final class OneEtcdScenario extends EtcdScenario {
    private static final Promise FORGETS = new Promise(
            "etcd that has lost its data forgets all locks: until a holder's next renewal another client may get the lock",
            true,
            false);

    private final EtcdServer server = EtcdServer.start();

    @Override
    List<EtcdServer> servers() {
        return List.of(server);
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(super.faults());
        faults.addAll(ServerFaults.withData(servers()));
        faults.add(ServerFaults.empty("restart without data", servers()).with(FORGETS));
        return faults;
    }

    @Override
    protected void stop() {
        server.close();
    }
}
