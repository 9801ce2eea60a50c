// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The clock and the threads of one client in a simulation. */
final class SimulatedEnvironment implements Environment, Ticker {
    private final Simulation simulation;
    private final int client;

    SimulatedEnvironment(Simulation simulation, int client) {
        this.simulation = simulation;
        this.client = client;
    }

    @Override
    public Thread start(String name, Runnable body) {
        return simulation.start(client, body);
    }

    @Override
    public Pool pool(String name, int idleSeconds) {
        return new Pool() {
            private boolean closed;

            @Override
            public void execute(Runnable task) {
                if (closed) {
                    throw new RejectedExecutionException();
                }
                Thread unused = simulation.start(client, task);
            }

            @Override
            public void keepNoIdleThreads() {}

            @Override
            public void shutdown() {
                closed = true;
            }
        };
    }

    @Override
    public void unpark(@Nullable Thread thread) {
        simulation.unpark(thread);
    }

    @Override
    public void pause(Object blocker, long nanos) {
        simulation.park(simulation.now() + nanos);
    }

    @Override
    public long realNanos() {
        return simulation.now();
    }

    @Override
    public RandomGenerator random() {
        return simulation.dice;
    }

    @Override
    public long nanos() {
        return simulation.now();
    }

    @Override
    public long wallMillis() {
        return simulation.now() / 1_000_000;
    }

    @Override
    public void parkUntil(Object blocker, long until) {
        if (until - simulation.now() > 0) {
            simulation.park(until);
        }
    }
}
