// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.List;
import java.util.Random;

/** A Redis Cluster of three masters with a replica each. */
public final class ClusterScenario extends Scenario {
    private static final Promise FAILOVER = new Promise(
            "a failover: two clients may hold the lock until the first one's lease ends, and tokens may be equal",
            true,
            true);

    private final RedisCluster cluster = RedisCluster.start("appendonly yes");
    private final List<String> names;

    public ClusterScenario(List<String> names) {
        this.names = names;
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                Fault.of("replica promoted", random -> {
                            cluster.handOver(key(random));
                            return cluster::awaitHealthy;
                        })
                        .atMost(500)
                        .with(FAILOVER),
                Fault.of("master killed, replica promoted", random -> {
                            String key = key(random);
                            RedisServer old = cluster.masterOf(key);
                            old.kill();
                            cluster.awaitMasterOtherThan(old, key);
                            return () -> {
                                old.restart();
                                cluster.awaitHealthy();
                            };
                        })
                        .with(FAILOVER),
                Fault.of("master restarted", random -> {
                            RedisServer master = cluster.masterOf(key(random));
                            master.stop();
                            return () -> {
                                master.restart();
                                cluster.awaitHealthy();
                            };
                        })
                        .atMost(3_000)
                        .with(FAILOVER),
                Fault.of("master frozen", random -> {
                            RedisServer master = cluster.masterOf(key(random));
                            master.pause();
                            return () -> {
                                master.resume();
                                cluster.awaitHealthy();
                            };
                        })
                        .with(FAILOVER));
    }

    /** As the backend names it. */
    private String key(Random random) {
        return "mortise:{" + ServerFaults.any(names, random) + "}";
    }

    @Override
    public List<String> leftOut() {
        return List.of("cut ways of single clients: the nodes tell their own addresses, past any proxy");
    }

    @Override
    public String url() {
        return cluster.url();
    }

    @Override
    public Route route() {
        return Route.direct(url());
    }

    @Override
    protected void stop() {
        cluster.close();
    }
}
