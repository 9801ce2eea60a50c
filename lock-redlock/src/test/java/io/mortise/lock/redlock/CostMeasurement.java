// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockClient;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares the cost of acquiring and releasing with five members to that with one of them, in turns. Each client has its own lock,
 * because a release returns when a majority has released, and another client could still meet the rest. Runs only by name.
 */
class CostMeasurement {
    private static final int CYCLES = Integer.getInteger("mortise.cost.cycles", 5_000);
    private static final int ROUNDS = 10;

    @Test
    void besideOneMember() {
        try (Five five = Five.start();
                LockClient one = LockClient.connect(five.get(0).url());
                LockClient fenced = LockClient.connect(five.url());
                LockClient plain = LockClient.connect(five.url() + "&fencing=false")) {
            Map<LockClient, String> names = Map.of(one, "one", fenced, "fenced", plain, "plain");
            names.forEach((client, name) -> medianNanos(client, name, 2 * CYCLES));
            double[] withTokens = new double[ROUNDS];
            double[] without = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                double single = medianNanos(one, "one", CYCLES / ROUNDS);
                withTokens[round] = medianNanos(fenced, "fenced", CYCLES / ROUNDS) / single;
                without[round] = medianNanos(plain, "plain", CYCLES / ROUNDS) / single;
            }
            print("five members", withTokens);
            print("five members without tokens", without);
        }
    }

    private static void print(String what, double[] ratios) {
        Arrays.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "%s: acquire + release %.2f times one member (%.2f to %.2f in %d rounds)%n",
                what,
                ratios[ROUNDS / 2],
                ratios[0],
                ratios[ROUNDS - 1],
                ROUNDS);
    }

    private static long medianNanos(LockClient client, String name, int cycles) {
        long[] took = new long[cycles];
        for (int i = 0; i < cycles; i++) {
            long start = System.nanoTime();
            client.lock(name).tryAcquire().orElseThrow().close();
            took[i] = System.nanoTime() - start;
        }
        Arrays.sort(took);
        return took[cycles / 2];
    }
}
