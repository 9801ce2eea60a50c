// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Five independent Redis servers, of which faults reach two at a time. */
public final class RedlockScenario extends Scenario {
    private static final String USER = "worker";

    /**
     * What a quorum is opened with, in this one place. Members that were restarted vote again soon enough for a run of some minutes.
     */
    private static final String OPTIONS = "?longestLease=4s&restartDelay=8s&clockBound=1s";

    private final List<RedisServer> servers = Stream.generate(() ->
                    RedisServer.start("--appendonly", "yes", "--user", USER, "on", ">secret", "+@all", "~*", "&*"))
            .limit(5)
            .toList();

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.addAll(List.of(
                minority("two killed", RedisServer::kill, RedisServer::restart),
                minority("two restarted", RedisServer::stop, RedisServer::restart),
                minority("two restarted without data", RedisServer::kill, RedisServer::restartEmpty),
                minority("two frozen", RedisServer::pause, RedisServer::resume),
                Fault.of("all killed", random -> {
                    servers.forEach(RedisServer::kill);
                    return () -> servers.forEach(RedisServer::restart);
                }),
                minority("permission withdrawn by two", RedlockScenario::withdraw, RedlockScenario::giveBack),
                Fault.of("permission withdrawn by all", random -> {
                    servers.forEach(RedlockScenario::withdraw);
                    return () -> servers.forEach(RedlockScenario::giveBack);
                })));
        return faults;
    }

    private interface OnServer {
        void apply(RedisServer server) throws Exception;
    }

    private Fault minority(String kind, OnServer cause, OnServer heal) {
        return Fault.of(kind, random -> {
            List<RedisServer> two = two(random);
            for (RedisServer server : two) {
                cause.apply(server);
            }
            return () -> {
                for (RedisServer server : two) {
                    heal.apply(server);
                }
            };
        });
    }

    private List<RedisServer> two(Random random) {
        List<RedisServer> shuffled = new ArrayList<>(servers);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 2);
    }

    private static void withdraw(RedisServer server) {
        server.command("ACL", "SETUSER", USER, "-@all");
    }

    private static void giveBack(RedisServer server) {
        server.command("ACL", "SETUSER", USER, "+@all");
    }

    @Override
    public Duration waitsForFreeLocks() {
        return Duration.ofSeconds(10);
    }

    @Override
    public String url() {
        return url(servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .toList());
    }

    private static String url(List<String> addresses) {
        return "redlock://" + USER + ":secret@" + String.join(",", addresses) + OPTIONS;
    }

    @Override
    public Route route() {
        return added(Route.to(servers, RedlockScenario::url));
    }

    @Override
    protected void stop() {
        servers.forEach(RedisServer::close);
    }
}
