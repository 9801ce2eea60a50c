// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.engine.stress.Tally.Count;
import io.mortise.lock.engine.stress.Weather.Evil;
import io.mortise.lock.memory.MemoryStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Does the evils of a round that do not come with a call: stops the store, closes clients, revokes locks, takes all memory. One thread. */
final class Chaos {
    private final Round round;
    private final Weather weather;
    private final Dice dice;
    private final MemoryStore store;
    private long resumeAt = Long.MAX_VALUE;
    private long nextCollection;

    Chaos(Round round, Weather weather, MemoryStore store) {
        this.round = round;
        this.weather = weather;
        this.dice = weather.dice;
        this.store = store;
    }

    /** Rages for the length of the round, and leaves the store and the network as they should be. */
    void rage() {
        long end = Time.now() + weather.length.toNanos();
        while (Time.now() < end) {
            LockSupport.parkNanos(dice.between(2_000_000, 15_000_000));
            try {
                step();
            } catch (Throwable thrown) {
                if (!Injected.isExpected(thrown, weather) && !(thrown instanceof LockException)) {
                    round.fault("an administrator's call failed: " + thrown);
                }
            }
        }
        weather.calmDown();
        store.resume();
        round.calmDown();
    }

    private void step() {
        if (Time.now() > resumeAt) {
            resumeAt = Long.MAX_VALUE;
            store.resume();
        }
        if (has(Evil.STORE_STOPS, weather.has(Evil.CROWDS) ? 0.1 : 0.03) && resumeAt == Long.MAX_VALUE) {
            Tally.add(Count.STORE_STOPS);
            resumeAt = Time.now() + TimeUnit.MILLISECONDS.toNanos(dice.between(50, 1800));
            store.pause();
        }
        if (has(Evil.INTERRUPTS, 0.8)) {
            Tally.add(Count.INTERRUPTS);
            round.interruptOne();
        }
        if (has(Evil.LATE_MESSAGES, 0.5)) {
            round.member().backend.beLate();
            if (dice.chance(0.3)) {
                round.member().backend.deliverHeldUp();
            }
        }
        if (has(Evil.CLOSES, 0.04)) {
            round.replaceOne(dice.chance(0.5) ? -1 : dice.below(300));
        }
        if (has(Evil.REVOCATIONS, 0.2)) {
            revoke();
        }
        if (has(Evil.NO_MEMORY, 0.04)) {
            Shortage.ofMemory(TimeUnit.MILLISECONDS.toNanos(dice.between(100, 1500)));
        }
        if (has(Evil.NO_THREADS, 0.05)) {
            Shortage.ofThreads(TimeUnit.MILLISECONDS.toNanos(dice.between(20, 400)));
        }
        if (dice.chance(0.1)) {
            LockClient client = round.member().client;
            boolean unused = client.lock(Round.nameOf(dice.below(weather.names)))
                    .holder()
                    .isPresent();
        }
        if (Time.now() > nextCollection) {
            // Leases that nobody can reach any more end when the collector has seen that.
            System.gc();
            nextCollection = Time.now() + TimeUnit.MILLISECONDS.toNanos(500);
        }
    }

    private boolean has(Evil evil, double share) {
        return weather.has(evil) && dice.chance(share);
    }

    private void revoke() {
        Tally.add(Count.REVOCATIONS);
        boolean unused = round.member()
                .client
                .lock(Round.nameOf(dice.below(weather.names)))
                .revoke("stress");
    }

    /** Frees locks at once, which takes a while each time, for as long as the storm lasts. On a thread of its own. */
    void revokeAtOnce() {
        while (weather.isRaging()) {
            LockSupport.parkNanos(dice.between(2_000_000, 100_000_000));
            try {
                revokeOneAtOnce();
            } catch (Throwable thrown) {
                if (!Injected.isExpected(thrown, weather) && !(thrown instanceof LockException)) {
                    round.fault("a revocation failed: " + thrown);
                }
            }
        }
    }

    private void revokeOneAtOnce() {
        Member member = round.member();
        int name = dice.below(weather.names);
        Tally.add(Count.REVOCATIONS);
        long begin = Time.now();
        long end = Long.MAX_VALUE;
        try {
            boolean unused = member.client.lock(Round.nameOf(name)).revokeNow("stress");
            end = Time.now();
        } finally {
            round.revoked(new Revocation(name, member.number, begin, end));
        }
    }
}
