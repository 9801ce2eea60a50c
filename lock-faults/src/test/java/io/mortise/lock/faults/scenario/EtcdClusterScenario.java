// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.EtcdCluster;
import io.mortise.lock.tck.servers.EtcdServer;
import java.util.ArrayList;
import java.util.List;

/** A cluster of etcd with three members. */
public final class EtcdClusterScenario extends EtcdScenario {
    private static final Promise ENDS_LEASES = new Promise(
            "a leader of etcd before 3.4.31 and 3.5.13 that was stuck may end leases that another leader has renewed:"
                    + " until the holder's next renewal another client may get the lock",
            true,
            false);

    private final EtcdCluster cluster = EtcdCluster.start();

    @Override
    List<EtcdServer> servers() {
        return cluster.servers();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(super.faults());
        faults.addAll(List.of(
                Fault.of("leader killed", random -> killed(cluster.leader())),
                Fault.of("follower killed", random -> killed(cluster.follower())),
                Fault.of("leader frozen", random -> ServerFaults.frozen(cluster.leader()))
                        .with(ENDS_LEASES),
                Fault.of("follower frozen", random -> ServerFaults.frozen(cluster.follower())),
                Fault.of("all killed", random -> {
                            cluster.servers().forEach(EtcdServer::kill);
                            return cluster::restartMissing;
                        })
                        .atMost(2_000)));
        return faults;
    }

    private Fault.Step killed(EtcdServer server) {
        server.kill();
        return cluster::restartMissing;
    }

    @Override
    public List<String> leftOut() {
        return List.of(
                "a member restarted without data: etcd lets none in that it knew with data",
                "a member cut off from the others: they name each other by addresses without a proxy; frozen ones are near that");
    }

    @Override
    protected void stop() {
        cluster.close();
    }
}
