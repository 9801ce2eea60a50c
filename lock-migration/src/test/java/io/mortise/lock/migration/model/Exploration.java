// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a look at all states of a model has found.
 *
 * @param states how many there are, or were looked at until one was wrong
 * @param counterexample the shortest way to a state that must not be, and what is wrong there; empty if there is none
 */
record Exploration(int states, List<String> counterexample) {
    /** More are a mistake in the model: nobody waits for them. */
    private static final int MOST_STATES = 6_000_000;

    private record Origin<S>(@Nullable S before, String step) {}

    static <S> Exploration of(Model<S> model) {
        Map<S, Origin<S>> seen = new HashMap<>();
        Deque<S> next = new ArrayDeque<>();
        S start = model.start();
        seen.put(start, new Origin<>(null, "start"));
        next.add(start);
        while (!next.isEmpty()) {
            S state = next.remove();
            Optional<String> wrong = model.violation(state);
            if (wrong.isPresent()) {
                return new Exploration(seen.size(), way(seen, state, wrong.get()));
            }
            boolean[] goesOn = {model.isAtRest(state)};
            model.steps(state, (what, following) -> {
                goesOn[0] = true;
                if (seen.putIfAbsent(following, new Origin<>(state, what)) == null) {
                    next.add(following);
                }
            });
            if (!goesOn[0]) {
                return new Exploration(seen.size(), way(seen, state, "all wait for each other"));
            }
            if (seen.size() > MOST_STATES) {
                throw new IllegalStateException("the model has more than " + MOST_STATES + " states");
            }
        }
        return new Exploration(seen.size(), List.of());
    }

    private static <S> List<String> way(Map<S, Origin<S>> seen, S end, String wrong) {
        List<String> way = new ArrayList<>();
        way.add(wrong);
        for (S state = end; state != null; state = seen.get(state).before()) {
            way.add(seen.get(state).step() + "   " + state);
        }
        Collections.reverse(way);
        return way;
    }
}
