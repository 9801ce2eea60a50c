// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets each of some have a turn in every round. */
final class Turns {
    /**
     * One turn.
     *
     * @param <E> whose turn it is
     * @param <T> what it shows
     */
    interface Turn<E, T> {
        T of(E entrant, int round) throws Exception;
    }

    private Turns() {}

    /** What each has shown, by name and round. Another round before these warms up, and does not count. */
    static <E, T> Map<String, List<T>> take(Map<String, E> entrants, int rounds, Turn<E, T> turn) throws Exception {
        return take(entrants, 1, rounds, turn);
    }

    /**
     * As {@link #take(Map, int, Turn)}, after more such rounds.
     *
     * @param warmUps how many: the last of them is round 0, and those before are below
     */
    static <E, T> Map<String, List<T>> take(Map<String, E> entrants, int warmUps, int rounds, Turn<E, T> turn)
            throws Exception {
        Map<String, List<T>> shown = new LinkedHashMap<>();
        for (int round = 1 - warmUps; round <= rounds; round++) {
            for (Map.Entry<String, E> entrant : entrants.entrySet()) {
                T one = turn.of(entrant.getValue(), round);
                if (round > 0) {
                    shown.computeIfAbsent(entrant.getKey(), unused -> new ArrayList<>())
                            .add(one);
                }
            }
        }
        return shown;
    }
}
