// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockClient;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.junit.jupiter.api.Test;

/**
 * What acquiring and releasing a free lock costs, beside Curator's {@link InterProcessMutex} on the same server. They
 * take turns in rounds; the ratio counts. Runs only if it is named.
 */
class CostMeasurement {
    private static final int CYCLES = Integer.getInteger("mortise.cost.cycles", 2_000);
    private static final int ROUNDS = 10;

    private interface Cycle {
        void run() throws Exception;
    }

    @Test
    void besideCuratorsMutex() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                LockClient locks = LockClient.connect(server.url());
                CuratorFramework curator = Fixtures.curator(server.connectString(), Duration.ofSeconds(40))) {
            InterProcessMutex mutex = new InterProcessMutex(curator, "/mutex");
            Cycle theirs = () -> {
                mutex.acquire();
                mutex.release();
            };
            Cycle acquire = () -> locks.lock("ours").acquire().close();
            Cycle tryOnce = () -> locks.lock("ours").tryAcquire().orElseThrow().close();
            for (Cycle cycle : new Cycle[] {theirs, acquire, tryOnce}) {
                medianMicros(cycle, CYCLES / 2);
            }
            double[][] micros = new double[3][ROUNDS];
            double[][] ratios = new double[3][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                micros[0][round] = medianMicros(theirs, CYCLES / ROUNDS);
                micros[1][round] = medianMicros(acquire, CYCLES / ROUNDS);
                micros[2][round] = medianMicros(tryOnce, CYCLES / ROUNDS);
                for (int i = 0; i < 3; i++) {
                    ratios[i][round] = micros[i][round] / micros[0][round];
                }
            }
            tell("InterProcessMutex acquire + release", micros[0], ratios[0]);
            tell("acquire + close", micros[1], ratios[1]);
            tell("tryAcquire + close", micros[2], ratios[2]);
        }
    }

    private static void tell(String what, double[] micros, double[] ratios) {
        Arrays.sort(micros);
        Arrays.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "%s: median %.0f us, %.2f times InterProcessMutex (%.2f to %.2f in %d rounds)%n",
                what,
                micros[ROUNDS / 2],
                ratios[ROUNDS / 2],
                ratios[0],
                ratios[ROUNDS - 1],
                ROUNDS);
    }

    private static double medianMicros(Cycle cycle, int cycles) throws Exception {
        double[] took = new double[cycles];
        for (int i = 0; i < cycles; i++) {
            long start = System.nanoTime();
            cycle.run();
            took[i] = (System.nanoTime() - start) / 1_000.0;
        }
        Arrays.sort(took);
        return took[cycles / 2];
    }
}
