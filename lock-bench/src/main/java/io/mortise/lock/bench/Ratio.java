// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** How somebody did as against the reference, in turns of the same rounds. */
record Ratio(double median, double least, double greatest) {
    /**
     * Compares turns of one setting; empty if the reference had none.
     *
     * @param own those of the one that is compared
     * @param all those of everybody
     */
    static Optional<Ratio> of(List<Figure> own, List<Figure> all, String reference, ToDoubleFunction<Figure> value) {
        List<Double> ratios = own.stream()
                .flatMap(figure -> all.stream()
                        .filter(other -> other.entrant().equals(reference) && other.round() == figure.round())
                        .map(other -> value.applyAsDouble(figure) / value.applyAsDouble(other)))
                .toList();
        return ratios.isEmpty() ? Optional.empty() : Optional.of(of(ratios));
    }

    /** Compares what two have shown, round by round. */
    static Ratio of(List<Double> own, List<Double> reference) {
        return of(IntStream.range(0, own.size())
                .mapToObj(round -> own.get(round) / reference.get(round))
                .toList());
    }

    private static Ratio of(List<Double> ratios) {
        return new Ratio(median(ratios), Collections.min(ratios), Collections.max(ratios));
    }

    /** As to one value of what all have shown, the reference first, round by round. */
    static <T> Map<String, Ratio> ofAll(Map<String, List<T>> shown, ToDoubleFunction<T> value) {
        List<Double> reference = values(shown.values().iterator().next(), value);
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        shown.forEach((entrant, own) -> ratios.put(entrant, of(values(own, value), reference)));
        return ratios;
    }

    static <T> double median(List<T> shown, ToDoubleFunction<T> value) {
        return median(values(shown, value));
    }

    private static <T> List<Double> values(List<T> shown, ToDoubleFunction<T> value) {
        return shown.stream().map(value::applyAsDouble).toList();
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, least, greatest);
    }
}
