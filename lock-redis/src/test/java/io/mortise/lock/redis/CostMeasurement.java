// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/**
 * What acquiring and releasing costs, beside the fewest commands that any safe lock could send: SET NX PX, and a script that
 * compares and deletes. Rounds of both take turns; the ratio is what counts. Runs when asked for by name.
 */
class CostMeasurement {
    private static final int CYCLES = Integer.getInteger("mortise.cost.cycles", 20_000);
    private static final int ROUNDS = 10;
    private static final String DELETE_OWN =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    @Test
    void besideTheFloor() {
        try (RedisServer server = RedisServer.start();
                LockClient locks = LockClient.connect(server.url());
                RedisClient redis = RedisClient.create(server.url())) {
            String digest = redis.scriptLoad(DELETE_OWN);
            IntConsumer floor = i -> {
                redis.set("floor", "owner", SetParams.setParams().nx().px(30_000));
                assertThat(redis.evalsha(digest, List.of("floor"), List.of("owner")))
                        .isEqualTo(1L);
            };
            IntConsumer ours =
                    i -> locks.lock("ours").tryAcquire().orElseThrow().close();
            medianNanos(floor, CYCLES / 2);
            medianNanos(ours, CYCLES / 2);
            double[] ratios = new double[ROUNDS];
            double[] micros = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                double least = medianNanos(floor, CYCLES / ROUNDS);
                micros[round] = medianNanos(ours, CYCLES / ROUNDS) / 1_000.0;
                ratios[round] = micros[round] * 1_000 / least;
            }
            Arrays.sort(ratios);
            Arrays.sort(micros);
            System.out.printf(
                    Locale.ROOT,
                    "acquire + release: median %.0f us, %.2f times the floor (%.2f to %.2f in %d rounds)%n",
                    micros[ROUNDS / 2],
                    ratios[ROUNDS / 2],
                    ratios[0],
                    ratios[ROUNDS - 1],
                    ROUNDS);
        }
    }

    private static long medianNanos(IntConsumer cycle, int cycles) {
        long[] took = new long[cycles];
        for (int i = 0; i < cycles; i++) {
            long start = System.nanoTime();
            cycle.accept(i);
            took[i] = System.nanoTime() - start;
        }
        Arrays.sort(took);
        return took[cycles / 2];
    }
}
