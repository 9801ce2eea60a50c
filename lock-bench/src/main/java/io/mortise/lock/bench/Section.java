// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a part has shown on a store.
 *
 * @param table as Markdown
 * @param samples of each turn
 * @param bars for the page of bars: of each entrant as against the reference, by what they show
 */
record Section(String table, List<Sample> samples, Map<String, Map<String, Ratio>> bars) {
    /** Nothing but a table. */
    Section(String table) {
        this(table, List.of(), Map.of());
    }

    /** Ratios of one value of what all have shown, the reference first, round by round. */
    static <T> Map<String, Ratio> ratios(Map<String, List<T>> shown, ToDoubleFunction<T> value) {
        List<Double> reference = values(shown.values().iterator().next(), value);
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        shown.forEach((entrant, own) -> ratios.put(entrant, Ratio.of(values(own, value), reference)));
        return ratios;
    }

    static <T> double median(List<T> shown, ToDoubleFunction<T> value) {
        return Ratio.median(values(shown, value));
    }

    private static <T> List<Double> values(List<T> shown, ToDoubleFunction<T> value) {
        return shown.stream().map(value::applyAsDouble).toList();
    }
}
