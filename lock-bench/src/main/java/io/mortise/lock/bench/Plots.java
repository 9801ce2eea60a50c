// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures as bars, in a page that needs nothing but a browser. */
final class Plots {
    private static final String HEAD = """
            <!--
              SPDX-FileCopyrightText: The Mortise authors
              SPDX-License-Identifier: Apache-2.0
            -->
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Performance of Mortise</title>
            <style>
            :root { color-scheme: light dark; --back: #fff; --text: #1c1c1c; --soft: #666; --line: #ddd; --bar: #b4bcc8; --own: #2f6fb7; --range: #333; }
            @media (prefers-color-scheme: dark) {
              :root { --back: #16181c; --text: #e4e4e4; --soft: #9a9a9a; --line: #3a3d44; --bar: #5a6270; --own: #6ea8e6; --range: #ddd; }
            }
            body { background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
            h2 { margin-top: 2.5rem; } h3 { margin: 1.8rem 0 .3rem; } h4 { margin: .9rem 0 .2rem; font-weight: 600; color: var(--soft); }
            p { max-width: 48rem; }
            .row { display: grid; grid-template-columns: 14rem 1fr 11rem; gap: .7rem; align-items: center; }
            .row span { font-size: 14px; } .row span:last-child { color: var(--soft); font-variant-numeric: tabular-nums; }
            .own span:first-child { font-weight: 600; }
            svg { width: 100%; height: 18px; display: block; }
            .bar { fill: var(--bar); } .own .bar { fill: var(--own); }
            .range { stroke: var(--range); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
            .one { stroke: var(--soft); stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
            @media (max-width: 40rem) { .row { grid-template-columns: 8rem 1fr; } .row span:last-child { grid-column: 2; } }
            </style>
            </head>
            <body>
            <h1>Performance of Mortise</h1>
            """;

    private static final int WIDTH = 1_000;

    private final StringBuilder text = new StringBuilder(HEAD);

    /** What was measured, and on what. */
    void about(String paragraph) {
        text.append("<p>").append(escaped(paragraph)).append("</p>\n");
    }

    void part(String title) {
        text.append("<h2>").append(escaped(title)).append("</h2>\n");
    }

    void add(String title, Section section) {
        heading(title);
        section.bars().forEach(this::bars);
    }

    void add(Figures figures) {
        heading(figures.title());
        figures.bySetting().forEach((setting, all) -> {
            bars(setting + ": locks a second, of the reference’s (more is better)", figures, all, Figure::perSecond);
            bars(setting + ": median time, of the reference’s (less is better)", figures, all, Figure::medianNanos);
            bars(setting + ": 99 of 100 within, of the reference’s (less is better)", figures, all, Figure::p99Nanos);
        });
    }

    private void bars(String title, Figures figures, List<Figure> all, ToDoubleFunction<Figure> value) {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        Figures.byEntrant(all).forEach((entrant, own) -> Ratio.of(own, all, figures.reference(), value)
                .ifPresent(ratio -> ratios.put(entrant, ratio)));
        bars(title, ratios);
    }

    private void heading(String title) {
        text.append("<h3>").append(escaped(title)).append("</h3>\n");
    }

    private void bars(String title, Map<String, Ratio> ratios) {
        double widest =
                ratios.values().stream().mapToDouble(Ratio::median).max().orElse(1);
        text.append("<h4>").append(escaped(title)).append("</h4>\n");
        ratios.forEach((entrant, ratio) -> row(entrant, ratio, widest));
    }

    /** Ranges that go beyond the widest bar are cut off. */
    private void row(String entrant, Ratio ratio, double widest) {
        text.append(String.format(
                Locale.ROOT,
                "<div class=\"row%s\"><span>%s</span><svg viewBox=\"0 0 %d 18\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                        + "<rect class=\"bar\" y=\"3\" height=\"12\" width=\"%.1f\"/>"
                        + "<line class=\"range\" x1=\"%.1f\" x2=\"%.1f\" y1=\"9\" y2=\"9\"/>"
                        + "<line class=\"one\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"18\"/></svg><span>%s</span></div>%n",
                entrant.startsWith(Store.OURS) ? " own" : "",
                escaped(entrant),
                WIDTH,
                place(ratio.median(), widest),
                place(ratio.least(), widest),
                place(ratio.greatest(), widest),
                place(1, widest),
                place(1, widest),
                ratio));
    }

    private static double place(double ratio, double widest) {
        return Math.min(WIDTH, ratio / widest * WIDTH);
    }

    String page() {
        return text + "</body>\n</html>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
