// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import io.mortise.lock.faults.scenario.ClusterScenario;
import io.mortise.lock.faults.scenario.EnsembleScenario;
import io.mortise.lock.faults.scenario.EtcdClusterScenario;
import io.mortise.lock.faults.scenario.H2Scenario;
import io.mortise.lock.faults.scenario.MemcachedScenario;
import io.mortise.lock.faults.scenario.OneEtcdScenario;
import io.mortise.lock.faults.scenario.OneZooKeeperScenario;
import io.mortise.lock.faults.scenario.RedisScenario;
import io.mortise.lock.faults.scenario.RedlockScenario;
import io.mortise.lock.faults.scenario.Scenario;
import io.mortise.lock.faults.scenario.SentinelScenario;
import io.mortise.lock.faults.scenario.ServerDatabaseScenario;
import io.mortise.lock.faults.scenario.SqliteScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** All stores, by the names that the command knows. */
final class Stores {
    static final Map<String, Supplier<Scenario>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("redis", RedisScenario::new);
        ALL.put("sentinel", () -> new SentinelScenario(false));
        ALL.put("wait", () -> new SentinelScenario(true));
        ALL.put("cluster", () -> new ClusterScenario(StoreRun.NAMES));
        ALL.put("redlock", RedlockScenario::new);
        ALL.put("zookeeper", OneZooKeeperScenario::new);
        ALL.put("ensemble", EnsembleScenario::new);
        ALL.put("etcd", OneEtcdScenario::new);
        ALL.put("etcd-cluster", EtcdClusterScenario::new);
        ALL.put("postgresql", ServerDatabaseScenario::postgres);
        ALL.put("mariadb", ServerDatabaseScenario::mariaDb);
        ALL.put("h2", H2Scenario::new);
        ALL.put("sqlite", SqliteScenario::new);
        ALL.put("memcached", MemcachedScenario::new);
    }

    private Stores() {}
}
