// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one part on one store, as Markdown: those of each entrant as ratios to what the reference did in the same round,
 * as median (least to greatest).
 */
final class Table {
    private static final String HEAD =
            "| | entrant | locks a second | rate, of the reference's | median time | 99 of 100 within | most to least of a thread |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- |\n";

    private final Figures figures;

    Table(Figures figures) {
        this.figures = figures;
    }

    String markdown() {
        StringBuilder text = new StringBuilder(HEAD);
        figures.bySetting().forEach((setting, all) -> Figures.byEntrant(all)
                .forEach((entrant, own) -> text.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %.0f | %s | %s | %s | %.1f |%n",
                        setting,
                        entrant,
                        Ratio.median(own, Figure::perSecond),
                        ratio(all, own, Figure::perSecond),
                        ratio(all, own, Figure::medianNanos),
                        ratio(all, own, Figure::p99Nanos),
                        Ratio.median(own, Figure::unevenness)))));
        return text.toString();
    }

    private String ratio(List<Figure> all, List<Figure> own, ToDoubleFunction<Figure> value) {
        return Ratio.of(own, all, figures.reference(), value)
                .map(Ratio::toString)
                .orElse("");
    }
}
