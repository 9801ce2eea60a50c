// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Members of etcd, whose leases last for two seconds at least. */
abstract class EtcdScenario extends Scenario {
    /** All of them, whether they run or not. */
    abstract List<EtcdServer> servers();

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.add(Fault.of("permission withdrawn", random -> {
            servers().get(0).requireUsers();
            return servers().get(0)::requireNoUsers;
        }));
        faults.add(Fault.of("database full", random -> {
            alarm("ACTIVATE");
            return () -> alarm("DEACTIVATE");
        }));
        return faults;
    }

    private void alarm(String action) throws Exception {
        String unused = servers()
                .get(0)
                .post("maintenance/alarm", "{\"action\":\"" + action + "\",\"memberID\":\"0\",\"alarm\":\"NOSPACE\"}");
    }

    @Override
    public Duration longestLease() {
        return Duration.ofSeconds(8);
    }

    /** After a restart, or under a new leader, a lease begins anew; and etcd looks twice a second for those that have ended. */
    @Override
    public Duration keepsOfTheDead() {
        return longestLease().multipliedBy(2).plusSeconds(4);
    }

    @Override
    public String url() {
        return url(servers().stream()
                .map(server -> server.host() + ":" + server.port())
                .toList());
    }

    private static String url(List<String> addresses) {
        return "etcd://" + String.join(",", addresses);
    }

    @Override
    public Route route() {
        return added(Route.to(servers(), EtcdScenario::url));
    }
}
