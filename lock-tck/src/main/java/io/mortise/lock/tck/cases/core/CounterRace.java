// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.tck.history.History;
import io.mortise.lock.tck.process.ChildProgram;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.Pause;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Lets threads of several clients increment a number that only the lock protects, to show whether the lock excludes
 * them. Random, with a seed that can be given.
 */
final class CounterRace {
    private static final String SEED = "mortise.tck.seed";

    private final Scene scene;
    private final int clients;
    private final int threads;
    private final long seed = Long.getLong(SEED, new SecureRandom().nextInt());
    private volatile boolean lost;
    private volatile int counter;

    /** A race of so many clients, with so many threads each. */
    CounterRace(Scene scene, int clients, int threads) {
        this.scene = scene;
        this.clients = clients;
        this.threads = threads;
    }

    /** Runs it and judges it; other threads than those that acquired the leases may release them. */
    void run(boolean othersRelease) throws Exception {
        scene.history().note("suite", "repeat with -D" + SEED + "=" + seed);
        String lock = scene.lock("race");
        int rounds = scene.times(30, 5);
        ExecutorService others = Executors.newFixedThreadPool(2);
        scene.closeAtEnd(others::shutdownNow);
        List<BackgroundTask<Integer>> runners = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            LockClient client = scene.client("C" + i);
            for (int j = 0; j < threads; j++) {
                String who = "C" + i + "." + j;
                Random random = new Random(seed + 31L * i + j);
                runners.add(scene.start(who, () -> {
                    int confirmed = 0;
                    for (int round = 0; round < rounds; round++) {
                        Lease lease = client.lock(lock).acquire();
                        confirmed += work(who, lease, random) ? 1 : 0;
                        if (othersRelease) {
                            others.submit(lease::release).get(scene.limit().toMillis(), TimeUnit.MILLISECONDS);
                        } else {
                            lease.release();
                        }
                    }
                    return confirmed;
                }));
            }
        }
        int confirmed = 0;
        for (BackgroundTask<Integer> runner : runners) {
            confirmed += runner.get(scene.limit().multipliedBy(6));
        }
        scene.history().judge();
        that(confirmed > 0, "no increment was made at all");
        safe(
                lost || counter == confirmed,
                "of " + confirmed + " increments under the lock " + (confirmed - counter) + " were lost (seed " + seed
                        + ")");
    }

    /** Reads, lingers, writes. True if the lease was held all the time, which makes the increment count. */
    private boolean work(String who, Lease lease, Random random) throws InterruptedException {
        History history = scene.history();
        long begin = System.nanoTime();
        if (!lease.isHeld()) {
            return false;
        }
        int before = counter;
        if (random.nextInt(3) == 0) {
            Pause.of(Duration.ofNanos(random.nextInt(2_000_000)));
        }
        counter = before + 1;
        long end = System.nanoTime();
        boolean held = lease.isHeld();
        if (held) {
            history.worked(who, lease.lockName(), begin, end, ChildProgram.token(lease));
        } else {
            // Allowed on a machine that stood still for a lease; the counter proves nothing then, only the history
            // does.
            lost = true;
        }
        return held;
    }
}
