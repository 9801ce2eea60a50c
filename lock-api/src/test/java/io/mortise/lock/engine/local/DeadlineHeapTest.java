// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineHeapTest {
    private static final class Thing extends DeadlineHeap.Entry {}

    /** Beside a map that is searched; moments are compared as those of a clock that may overflow. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 500, Long.MIN_VALUE})
    void theFirstIsAlwaysTheEarliest(long origin) {
        Random random = new Random(origin + 7);
        Thing[] things = new Thing[200];
        for (int i = 0; i < things.length; i++) {
            things[i] = new Thing();
        }
        DeadlineHeap<Thing> heap = new DeadlineHeap<>();
        Map<Thing, Long> model = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            Thing thing = things[random.nextInt(things.length)];
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    heap.remove(thing);
                    model.remove(thing);
                }
                case 2 -> {
                    Thing first = heap.first();
                    if (first != null) {
                        heap.remove(first);
                        model.remove(first);
                    }
                }
                default -> {
                    long at = origin + random.nextInt(1000);
                    heap.put(thing, at);
                    model.put(thing, at);
                }
            }
            check(heap, model, origin);
        }
        heap.putAll(origin + 5);
        model.replaceAll((thing, at) -> origin + 5);
        check(heap, model, origin);
        heap.clear();
        assertThat(heap.first()).isNull();
        heap.put(things[0], origin);
        assertThat(heap.first()).isSameAs(things[0]);
    }

    private static void check(DeadlineHeap<Thing> heap, Map<Thing, Long> model, long origin) {
        assertThat(heap.size()).isEqualTo(model.size());
        assertThat(heap.isEmpty()).isEqualTo(model.isEmpty());
        Thing first = heap.first();
        if (first == null) {
            assertThat(model).isEmpty();
            return;
        }
        long earliest =
                model.values().stream().mapToLong(at -> at - origin).min().orElseThrow();
        assertThat(heap.firstMoment() - origin).isEqualTo(earliest);
        assertThat(model).containsEntry(first, heap.firstMoment());
    }
}
