// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One memcached server, which forgets everything when it ends. */
public final class MemcachedScenario extends Scenario {
    private static final Promise FORGETS = new Promise(
            "memcached forgets all locks when it restarts: until a holder's next renewal another client may get the lock",
            true,
            false);
    private static final Promise EVICTS = new Promise(
            "memcached may evict a lock at any moment: until the holder's next renewal another client may get it",
            true,
            false);

    private final MemcachedServer server = MemcachedServer.start();

    @Override
    public List<Fault> faults() {
        List<MemcachedServer> servers = List.of(server);
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.addAll(List.of(
                ServerFaults.kill("kill", servers).with(FORGETS),
                ServerFaults.stop("restart", servers).with(FORGETS),
                ServerFaults.freeze("freeze", servers),
                Fault.of("all evicted", random -> {
                            server.flush();
                            return () -> {};
                        })
                        .with(EVICTS)));
        return faults;
    }

    @Override
    public List<String> leftOut() {
        return List.of("permission withdrawn: memcached has none, only a password at connecting");
    }

    /** It counts whole seconds. */
    @Override
    public Duration keepsOfTheDead() {
        return longestLease().plusSeconds(3);
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public Route route() {
        return added(Route.to(List.of(server), addresses -> "memcached://" + addresses.get(0)));
    }

    @Override
    protected void stop() {
        server.close();
    }
}
