// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.stress.Tally.Count;
import io.mortise.lock.engine.stress.Weather.Evil;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;

/** One client of a round, until it is closed. Thread-safe. */
final class Member {
    final int number;
    final StormBackend backend;
    final LockClient client;
    private volatile long closing = Long.MAX_VALUE;
    private volatile long closed = Long.MAX_VALUE;

    Member(int number, Weather weather, Grants grants, MemoryStore store) {
        this.number = number;
        backend = new StormBackend(number, weather, grants, store);
        client = LockClient.builder(backend)
                .options(LockOptions.defaults().withLease(weather.lease))
                .callTimeout(weather.callTimeout)
                .listener(new LockListener() {
                    @Override
                    public void acquired(LockEvent event) {
                        if (weather.strikes(Evil.LISTENER_ERRORS)) {
                            Injected.error(weather.dice);
                        }
                    }
                })
                .build();
        backend.arm();
    }

    /** When somebody began to close it; never, if nobody has. */
    long closing() {
        return closing;
    }

    /** When it was closed; never, if it is not. */
    long closed() {
        return closed;
    }

    /** Closes it, with a grace of zero or more milliseconds, or without. */
    void close(int grace) {
        closing = Time.now();
        Tally.add(Count.CLOSES);
        try {
            if (grace < 0) {
                client.close();
            } else {
                client.close(Duration.ofMillis(grace));
            }
        } finally {
            closed = Time.now();
        }
    }
}
