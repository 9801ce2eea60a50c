// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A store with its servers, what can happen to them, and what its page promises. */
public abstract class Scenario implements AutoCloseable {
    private final List<Route> routes = new ArrayList<>();

    /** What can happen to the store itself. */
    public abstract List<Fault> faults();

    /** The store for whoever looks at it when all is healed. */
    public abstract String url();

    /** A way of its own for one worker: the URL by it. */
    public abstract Route route();

    /** The faults that this store could have and does not get here, each with the reason. */
    public List<String> leftOut() {
        return List.of();
    }

    /** The longest lease that workers ask for. */
    public Duration longestLease() {
        return Duration.ofSeconds(4);
    }

    /** How long the store keeps at most what a process had that died. */
    public Duration keepsOfTheDead() {
        return longestLease();
    }

    /** How long a waiter may wait for a free lock while all is well, dead waiters before it included. */
    public Duration waitsForFreeLocks() {
        return Duration.ofSeconds(6);
    }

    /** Whether clients may be on other hosts, and so have another time of day. */
    public boolean isRemote() {
        return true;
    }

    /** The variables of a worker whose clock is wrong, if there can be one. */
    public final Map<String, String> clock(Random random) {
        if (!isRemote() || random.nextInt(3) > 0) {
            return Map.of();
        }
        try {
            return ClientClock.environment(Duration.ofMinutes(random.nextBoolean() ? 10 : -10));
        } catch (ServerUnavailableException missing) {
            return Map.of();
        }
    }

    final Route added(Route route) {
        routes.add(route);
        return route;
    }

    final List<Route> routes() {
        return routes;
    }

    /** The faults of the ways of all workers at once; none if they have none. */
    final List<Fault> networkFaults() {
        return List.of(
                Fault.of("cut", random -> {
                    routes.forEach(Route::cut);
                    return () -> routes.forEach(Route::heal);
                }),
                Fault.of("black hole", random -> {
                    routes.forEach(Route::freeze);
                    return () -> routes.forEach(Route::heal);
                }),
                Fault.of("lost replies", random -> {
                    routes.forEach(Route::freezeReplies);
                    return () -> {
                        routes.forEach(Route::killConnections);
                        routes.forEach(Route::heal);
                    };
                }),
                Fault.of("resets", random -> {
                    routes.forEach(Route::killConnections);
                    return () -> {};
                }));
    }

    @Override
    public void close() {
        routes.forEach(Route::close);
        stop();
    }

    /** Ends the servers. */
    protected abstract void stop();
}
