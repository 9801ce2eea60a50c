// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;

/** One Redis server that writes a log, and a user who is not the administrator. */
public final class RedisScenario extends Scenario {
    private static final String USER = "worker";
    private static final Promise FORGETS = new Promise(
            "the server restarts without its data: until a holder's next renewal another client may get the lock",
            true,
            false);

    private final RedisServer server =
            RedisServer.start("--appendonly", "yes", "--user", USER, "on", ">secret", "+@all", "~*", "&*");

    @Override
    public List<Fault> faults() {
        List<RedisServer> servers = List.of(server);
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.addAll(ServerFaults.withData(servers));
        faults.addAll(List.of(
                ServerFaults.empty("restart without data", servers).with(FORGETS),
                Fault.of("permission withdrawn", random -> {
                    server.command("ACL", "SETUSER", USER, "-@all");
                    return () -> server.command("ACL", "SETUSER", USER, "+@all");
                }),
                Fault.of("memory full", random -> {
                    server.command("CONFIG", "SET", "maxmemory", "1");
                    return () -> server.command("CONFIG", "SET", "maxmemory", "0");
                }),
                Fault.of("scripts forgotten", random -> {
                    server.command("SCRIPT", "FLUSH");
                    return () -> {};
                })));
        return faults;
    }

    @Override
    public String url() {
        return url(server.host() + ":" + server.port());
    }

    private static String url(String address) {
        return "redis://" + USER + ":secret@" + address;
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
