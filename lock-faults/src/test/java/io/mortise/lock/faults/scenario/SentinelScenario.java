// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.RedisSentinels;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.List;

/** A Redis master with two replicas and three Sentinels, with confirmation by the replicas or without. */
public final class SentinelScenario extends Scenario {
    private static final Promise FAILOVER = new Promise(
            "a failover: two clients may hold the lock until the first one's lease ends, and tokens may be equal",
            true,
            true);

    private final RedisSentinels sentinels = RedisSentinels.start("appendonly yes");
    private final boolean confirmed;

    public SentinelScenario(boolean confirmed) {
        this.confirmed = confirmed;
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = List.of(
                Fault.of("master killed, replica promoted", random -> promoted(sentinels.master(), RedisServer::kill)),
                Fault.of("master frozen, replica promoted", random -> promoted(sentinels.master(), RedisServer::pause)),
                Fault.of("replica promoted", random -> {
                            sentinels.failOver();
                            return sentinels::awaitHealthy;
                        })
                        .atMost(500),
                Fault.of("master restarted", random -> {
                            RedisServer master = sentinels.master();
                            master.stop();
                            return () -> {
                                master.restart();
                                sentinels.awaitHealthy();
                            };
                        })
                        .atMost(3_000),
                Fault.of("replica killed", random -> {
                    RedisServer master = sentinels.master();
                    RedisServer replica = ServerFaults.any(
                            sentinels.servers().stream()
                                    .filter(server -> server != master)
                                    .toList(),
                            random);
                    replica.kill();
                    return () -> {
                        replica.restart();
                        sentinels.awaitHealthy();
                    };
                }),
                Fault.of("master frozen", random -> {
                    RedisServer master = sentinels.master();
                    master.pause();
                    return () -> {
                        master.resume();
                        sentinels.awaitHealthy();
                    };
                }));
        return confirmed
                ? faults
                : faults.stream().map(fault -> fault.with(FAILOVER)).toList();
    }

    private Fault.Step promoted(RedisServer old, java.util.function.Consumer<RedisServer> fault) {
        fault.accept(old);
        sentinels.awaitMasterOtherThan(old);
        return () -> {
            if (old.isRunning()) {
                old.resume();
            } else {
                old.restart();
            }
            sentinels.awaitHealthy();
        };
    }

    @Override
    public List<String> leftOut() {
        return List.of("cut ways of single clients: Sentinels tell the servers' own addresses, past any proxy");
    }

    @Override
    public String url() {
        return sentinels.url() + (confirmed ? "?replicas=2" : "");
    }

    @Override
    public Route route() {
        return Route.direct(url());
    }

    @Override
    protected void stop() {
        sentinels.close();
    }
}
