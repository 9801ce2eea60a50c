// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper servers, whose sessions last for six seconds. */
abstract class ZooKeeperScenario extends Scenario {
    static final Duration SESSION = Duration.ofSeconds(6);
    private static final String OPTIONS = "?sessionTimeout=" + SESSION.toMillis() + "ms";

    /** All of them, whether they run or not. */
    abstract List<ZooKeeperServer> servers();

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.add(Fault.of("permission withdrawn", random -> {
            try (NodeRights rights = new NodeRights(addresses())) {
                rights.withdraw();
            }
            return () -> {
                try (NodeRights rights = new NodeRights(addresses())) {
                    rights.giveBack();
                }
            };
        }));
        return faults;
    }

    private String addresses() {
        return String.join(
                ",", servers().stream().map(ZooKeeperServer::connectString).toList());
    }

    /** What the dead have, and their places in queues, ends with their sessions. */
    @Override
    public Duration keepsOfTheDead() {
        return SESSION.plusSeconds(2);
    }

    /** Behind dead waiters, one session; and a session that begins waits for up to three seconds. */
    @Override
    public Duration waitsForFreeLocks() {
        return SESSION.plusSeconds(6);
    }

    @Override
    public String url() {
        return "zookeeper://" + addresses() + OPTIONS;
    }

    @Override
    public Route route() {
        return added(Route.to(servers(), addresses -> "zookeeper://" + String.join(",", addresses) + OPTIONS));
    }
}
