// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The figures of one part on one store, as Markdown: those of each entrant as ratios to what the reference did in the same round,
 * as median (least to greatest).
 */
final class Table {
    private final List<Figure> figures;
    private final String reference;

    /** With the name of the entrant that the others are compared with. */
    Table(List<Figure> figures, String reference) {
        this.figures = figures;
        this.reference = reference;
    }

    String markdown() {
        StringBuilder text = new StringBuilder(
                "| | entrant | locks a second | rate, of the reference's | median time | 99 of 100 within | most to least of a thread |\n"
                        + "| --- | --- | --- | --- | --- | --- | --- |\n");
        Map<String, List<Figure>> settings = figures.stream()
                .collect(Collectors.groupingBy(Figure::setting, LinkedHashMap::new, Collectors.toList()));
        settings.forEach((setting, all) -> all.stream()
                .collect(Collectors.groupingBy(Figure::entrant, LinkedHashMap::new, Collectors.toList()))
                .forEach((entrant, own) -> text.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %.0f | %s | %s | %s | %.1f |%n",
                        setting,
                        entrant,
                        median(own.stream().map(Figure::perSecond).toList()),
                        ratio(all, own, Figure::perSecond),
                        ratio(all, own, Figure::medianNanos),
                        ratio(all, own, Figure::p99Nanos),
                        median(own.stream().map(Figure::unevenness).toList())))));
        return text.toString();
    }

    private String ratio(List<Figure> all, List<Figure> own, ToDoubleFunction<Figure> value) {
        List<Double> ratios = own.stream()
                .flatMap(figure -> all.stream()
                        .filter(other -> other.entrant().equals(reference) && other.round() == figure.round())
                        .map(other -> value.applyAsDouble(figure) / value.applyAsDouble(other)))
                .sorted()
                .toList();
        return ratios.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f)",
                        median(ratios),
                        ratios.get(0),
                        ratios.get(ratios.size() - 1));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
    }
}
