// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.process.ServerLauncher;
import io.mortise.lock.tck.servers.process.TestServer;
import java.util.ArrayList;
import java.util.List;

/** An H2 server with a file. */
public final class H2Scenario extends DatabaseScenario {
    private final TestServer server = ServerLauncher.start(new H2Definition());

    @Override
    public List<Fault> faults() {
        List<TestServer> servers = List.of(server);
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.addAll(ServerFaults.withData(servers));
        faults.add(forgets());
        return faults;
    }

    @Override
    public List<String> leftOut() {
        return List.of(
                "permission withdrawn: the locks need an administrator of H2, whose rights nobody withdraws",
                "disk full: the server's directory is not on a file system of its own");
    }

    @Override
    String administratorUrl() {
        return url();
    }

    @Override
    public String url() {
        return url(server.host() + ":" + server.port());
    }

    private static String url(String address) {
        return "jdbc:h2:tcp://" + address + "/./locks";
    }

    @Override
    public Route route() {
        return added(Route.to(List.of(server), addresses -> url(addresses.get(0))));
    }

    @Override
    protected void stop() {
        server.close();
    }
}
