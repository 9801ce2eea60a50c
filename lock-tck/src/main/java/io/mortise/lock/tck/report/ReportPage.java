// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import io.mortise.lock.tck.report.CaseResult.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The report as one page that loads nothing from elsewhere: the badge, features by rules, failures, and all cases. */
final class ReportPage {
    private static final String STYLE = """
            :root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --soft: #57606a; --line: #d0d7de;
              --passed: #1a7f37; --failed: #cf222e; --skipped: #6e7781; --panel: #f6f8fa; --hold: #0969da; }
            @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #9198a1; --line: #3d444d;
              --passed: #3fb950; --failed: #f85149; --skipped: #9198a1; --panel: #161b22; --hold: #4493f8; } }
            body { color: var(--text); background: var(--back); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto;
              max-width: 66rem; padding: 0 1rem; }
            h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
            .badge { font-weight: 600; } .soft { color: var(--soft); }
            table { border-collapse: collapse; width: 100%; } td, th { border-top: 1px solid var(--line); padding: .3rem .5rem;
              text-align: left; vertical-align: top; }
            td.time { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
            .chip { border: 1px solid currentColor; border-radius: .3rem; display: inline-block; font-size: .85rem;
              margin: .1rem .15rem .1rem 0; min-width: 2rem; padding: 0 .3rem; text-align: center; text-decoration: none; }
            .passed { color: var(--passed); } .failed { color: var(--failed); } .skipped { color: var(--skipped); }
            .failed.chip { background: var(--failed); color: var(--back); } .skipped.chip { border-style: dashed; }
            pre { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; font-size: .8rem;
              overflow-wrap: anywhere; padding: .7rem; white-space: pre-wrap; } summary { cursor: pointer; }
            svg { display: block; font: 11px system-ui, sans-serif; margin: .5rem 0; width: 100%; } svg text { fill: var(--soft); }
            .lane { stroke: var(--line); } .hold { fill: var(--hold); } .both { fill: var(--failed); }
            @media print { body { margin: 0; max-width: none; } svg { break-inside: avoid; } }
            """;

    private final String name;
    private final String badge;
    private final List<CaseResult> cases;

    ReportPage(String name, String badge, List<CaseResult> cases) {
        this.name = name;
        this.badge = badge;
        this.cases = cases;
    }

    String text() {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped(name))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(escaped(name))
                .append("</h1>\n<p class=\"badge\">")
                .append(escaped(badge))
                .append("</p>\n");
        long seconds = cases.stream().mapToLong(CaseResult::millis).sum() / 1000;
        page.append("<p class=\"soft\">Conformance suite of Mortise; the cases took ")
                .append(seconds)
                .append(" s.</p>\n<h2>Features and rules</h2>\n");
        matrix(page);
        failures(page);
        page.append("<h2>All cases</h2>\n");
        table(page);
        return page.append("</body>\n</html>\n").toString();
    }

    /** Of each feature the rules that need it, each with the worst verdict of its cases. */
    private void matrix(StringBuilder page) {
        Map<String, Map<String, List<CaseResult>>> features = new LinkedHashMap<>();
        features.put("CORE", new TreeMap<>(byNumber()));
        for (CaseResult result : cases) {
            features.computeIfAbsent(result.feature(), unused -> new TreeMap<>(byNumber()))
                    .computeIfAbsent(result.rule(), unused -> new ArrayList<>())
                    .add(result);
        }
        page.append("<table>\n");
        features.forEach((feature, rules) -> {
            page.append("<tr><th scope=\"row\">").append(escaped(feature)).append("</th><td>");
            rules.forEach((rule, results) -> page.append(String.format(
                    Locale.ROOT,
                    "<a class=\"chip %s\" href=\"#%s\" title=\"%s\">%s</a>",
                    word(worst(results)),
                    escaped(results.get(0).name()),
                    escaped(count(results)),
                    escaped(rule))));
            page.append("</td></tr>\n");
        });
        page.append("</table>\n<p class=\"soft\">Filled: broken. Dashed: no case of it was run.</p>\n");
    }

    private static Comparator<String> byNumber() {
        return Comparator.comparing((String rule) -> rule.substring(0, 1))
                .thenComparingInt(rule -> Integer.parseInt(rule.substring(1)));
    }

    private static Verdict worst(List<CaseResult> results) {
        return results.stream()
                .map(CaseResult::verdict)
                .min(Comparator.comparingInt(verdict -> switch (verdict) {
                    case FAILED -> 0;
                    case PASSED -> 1;
                    case SKIPPED -> 2;
                }))
                .orElse(Verdict.SKIPPED);
    }

    private static String count(List<CaseResult> results) {
        StringBuilder text = new StringBuilder();
        for (Verdict verdict : Verdict.values()) {
            long count = results.stream()
                    .filter(result -> result.verdict() == verdict)
                    .count();
            if (count > 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(count)
                        .append(' ')
                        .append(word(verdict));
            }
        }
        return text.toString();
    }

    private void failures(StringBuilder page) {
        List<CaseResult> failed = cases.stream()
                .filter(result -> result.verdict() == Verdict.FAILED)
                .toList();
        if (!failed.isEmpty()) {
            page.append("<h2>What is broken</h2>\n");
        }
        for (CaseResult result : failed) {
            page.append("<article id=\"")
                    .append(escaped(result.name()))
                    .append("\">\n<h3 class=\"failed\">")
                    .append(escaped(result.rule() + ": " + result.says()))
                    .append("</h3>\n");
            if (!result.holds().isEmpty()) {
                page.append(new HoldLanes(result.holds()).svg());
            }
            page.append("<pre>").append(escaped(result.message())).append("</pre>\n</article>\n");
        }
    }

    private void table(StringBuilder page) {
        page.append("<table>\n");
        cases.stream()
                .sorted(Comparator.comparing(CaseResult::rule, byNumber()).thenComparing(CaseResult::name))
                .forEach(result -> {
                    String word = word(result.verdict());
                    boolean anchored = result.verdict() == Verdict.FAILED;
                    page.append(anchored ? "<tr>" : "<tr id=\"" + escaped(result.name()) + "\">")
                            .append("<td><span class=\"chip " + word + "\">" + escaped(result.rule())
                                    + "</span></td><td>")
                            .append(escaped(result.says()));
                    if (result.verdict() == Verdict.SKIPPED) {
                        page.append("<br><span class=\"soft\">")
                                .append(escaped(result.message()))
                                .append("</span>");
                    } else if (hasContention(result)) {
                        page.append("<details><summary class=\"soft\">who held the lock when</summary>")
                                .append(new HoldLanes(result.holds()).svg())
                                .append("</details>");
                    }
                    page.append("</td><td class=\"" + word + "\">" + word + "</td><td class=\"time\">")
                            .append(String.format(Locale.ROOT, "%.2f s", result.millis() / 1e3))
                            .append("</td></tr>\n");
                });
        page.append("</table>\n");
    }

    private static boolean hasContention(CaseResult result) {
        return result.holds().stream().map(hold -> hold.who()).distinct().count() > 2;
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    /** What is text stays text, whatever the names of locks are. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(point -> {
            boolean plain = point == '\n'
                    || (point >= ' '
                            && point != '<'
                            && point != '>'
                            && point != '&'
                            && point != '"'
                            && point != '\''
                            && !Character.isISOControl(point));
            if (plain) {
                escaped.appendCodePoint(point);
            } else {
                escaped.append(Character.isISOControl(point) ? "\\" + point : "&#" + point + ";");
            }
        });
        return escaped.toString();
    }
}
