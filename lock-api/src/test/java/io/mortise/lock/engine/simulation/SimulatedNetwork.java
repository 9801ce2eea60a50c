// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The store as one client sees it: answers take time, requests and answers are lost, and what was given up may arrive later. */
final class SimulatedNetwork extends ForwardingBackend {
    private final Simulation simulation;
    private final int client;
    private final Weather weather;

    SimulatedNetwork(Simulation simulation, int client, Weather weather, LockBackend store) {
        super(store);
        this.simulation = simulation;
        this.client = client;
        this.weather = weather;
    }

    /** What the network does to one call. */
    private enum Fate {
        ARRIVES,
        REQUEST_LOST,
        ANSWER_LOST,
        ANSWER_CUT_OFF,
        REQUEST_LATE,
        FAILS_AT_ONCE
    }

    private Fate fate() {
        if (!weather.calm && weather.isCutOff(client, simulation.now())) {
            return Fate.REQUEST_LOST;
        }
        if (weather.calm || simulation.dice.nextDouble() >= weather.loss) {
            return Fate.ARRIVES;
        }
        return Fate.values()[simulation.dice.nextInt(Fate.values().length)];
    }

    private long delay() {
        return weather.calm ? 100_000 : 1 + simulation.dice.nextLong(weather.delayNanos);
    }

    private <T> T call(Duration atMost, Supplier<T> store) {
        long end = simulation.now() + atMost.toNanos();
        Fate fate = fate();
        if (fate == Fate.FAILS_AT_ONCE) {
            throw new BackendException("the connection was refused", null);
        }
        if (fate == Fate.REQUEST_LATE) {
            CompletableFuture<Void> late = new CompletableFuture<>();
            long after = atMost.toNanos() + simulation.dice.nextLong(1_000_000_000L);
            Thread unused = simulation.start(-1, () -> {
                simulation.sleep(after);
                try {
                    T unusedAnswer = store.get();
                } catch (BackendException closed) {
                    // The client is closed by now.
                }
                late.complete(null);
            });
            simulation.sleep(atMost.toNanos());
            throw new BackendException("no answer in time, and the request is under way", null, late);
        }
        long there = Math.min(delay(), atMost.toNanos());
        simulation.sleep(there);
        if (fate == Fate.REQUEST_LOST) {
            simulation.sleep(Math.max(1, end - simulation.now()));
            throw new BackendException("the request was lost", null);
        }
        T answer = store.get();
        if (fate == Fate.ANSWER_CUT_OFF) {
            throw new BackendException("the connection was cut", null);
        }
        long back = delay();
        if (fate == Fate.ANSWER_LOST || simulation.now() + back - end > 0) {
            simulation.sleep(Math.max(1, end - simulation.now()));
            throw new BackendException("the answer was lost", null);
        }
        simulation.sleep(back);
        return answer;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new Call(super.claim(request, () -> {
            if (weather.calm || simulation.dice.nextDouble() >= weather.loss) {
                long after = delay();
                Thread unused = simulation.start(client, () -> {
                    simulation.sleep(after);
                    nudge.run();
                });
            }
        }));
    }

    private final class Call extends ForwardingClaim {
        Call(Claim inner) {
            super(inner);
        }

        @Override
        public boolean tryAcquire(Duration atMost) {
            return call(atMost, () -> {
                try {
                    return super.tryAcquire(atMost);
                } catch (InterruptedException never) {
                    throw new AssertionError(never);
                }
            });
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return call(atMost, () -> super.renew(lease, atMost));
        }

        @Override
        public boolean release(Duration atMost) {
            return call(atMost, () -> super.release(atMost));
        }
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        List<Renewal> inner = renewals.stream()
                .map(renewal -> new Renewal(((Call) renewal.claim()).inner(), renewal.lease()))
                .toList();
        return call(atMost, () -> super.renewAll(inner, atMost));
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return call(atMost, () -> super.inspect(lock, atMost));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return call(atMost, () -> super.revoke(lock, reason, now, atMost));
    }
}
