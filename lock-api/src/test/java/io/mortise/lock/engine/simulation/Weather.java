// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** How bad the network is, until it is calm. */
final class Weather {
    final double loss;
    final long delayNanos;
    boolean calm;
    private final Map<Integer, Long> cutOffUntil = new HashMap<>();

    Weather(SplittableRandom dice) {
        double[] losses = {0, 0.05, 0.3};
        long[] delays = {1_000_000, 30_000_000, 300_000_000};
        loss = losses[dice.nextInt(losses.length)];
        delayNanos = delays[dice.nextInt(delays.length)];
    }

    /** Nothing that a client sends arrives until then. */
    void cutOff(int client, long until) {
        cutOffUntil.put(client, until);
    }

    boolean isCutOff(int client, long now) {
        Long until = cutOffUntil.get(client);
        return until != null && until - now > 0;
    }
}
