// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page that tells what the suite said of each store, and what follows from it for the table of stores in the README. */
final class ConformancePage {
    static final String FILE = "docs/conformance.md";

    /** The test class that runs the suite on the store of a row of the README. */
    private static final Map<String, String> SUITES = Map.of(
            "memory:NAME", "KitTest",
            "redis://…", "RedisTckTest",
            "redlock://h1,h2,h3,…", "RedlockTckWithThreeTest",
            "zookeeper://…", "ZooKeeperTckTest",
            "etcd://…", "EtcdTckTest",
            "memcached://…", "MemcachedTckTest",
            "jdbc:sqlite:FILE", "SqliteTckTest",
            "jdbc:h2:…", "H2FileTckTest",
            "jdbc:postgresql:…", "PostgresTckTest",
            "jdbc:mariadb:…", "MariaDbTckTest");

    private static final Pattern URL = Pattern.compile("\\| `([^`]+)`");
    private static final int LEVEL = 3;
    private static final int TOKENS = 4;
    private static final int WAITING = 5;
    private static final int LISTS = 6;

    private ConformancePage() {}

    static String text(List<SuiteResult> results) {
        return """
                # What the suite says of each store

                Every kind of store runs the [conformance suite](SPEC.md) in each build. A suite fails if a feature that its store declares has no case
                that ran. So what stands here is declared by the store and was tried on it. Some suites leave out cases that another one runs on the same kind
                of store.

                    ./verify --stores

                runs all of them, writes this page anew, and with it what the [README](../README.md#stores) says of tokens, waiting and lists.

                | suite | safety level | tokens rise | declares | passed | failed | skipped |
                | --- | --- | --- | --- | --- | --- | --- |
                %s
                ## Why cases were skipped

                | reason | suites, and how many cases |
                | --- | --- |
                %s""".formatted(
                results.stream().map(ConformancePage::row).collect(Collectors.joining()),
                skipped(results).entrySet().stream()
                        .map(reason -> "| " + reason.getKey() + " | " + String.join(", ", reason.getValue()) + " |\n")
                        .collect(Collectors.joining()));
    }

    private static String row(SuiteResult result) {
        return "| `" + result.suite() + "` | " + result.level() + " | " + tokens(result) + " | "
                + String.join(", ", new TreeSet<>(result.features())) + " | " + result.passed() + " | "
                + result.failed() + " | "
                + result.skipped().values().stream().mapToLong(Long::longValue).sum() + " |\n";
    }

    private static Map<String, List<String>> skipped(List<SuiteResult> results) {
        Map<String, List<String>> reasons = new TreeMap<>();
        for (SuiteResult result : results) {
            result.skipped()
                    .forEach((reason, cases) -> reasons.merge(
                            reason, List.of("`" + result.suite() + "` " + cases), (before, more) -> Stream.concat(
                                            before.stream(), more.stream())
                                    .toList()));
        }
        return reasons;
    }

    /** The rows of a page, with what they say of the number of cases left out. */
    static List<SuiteResult> read(String page) {
        return page.lines()
                .filter(line -> line.startsWith("| `"))
                .map(ConformancePage::cells)
                .map(cells -> new SuiteResult(
                        cells.get(1).replace("`", ""),
                        cells.get(2),
                        cells.get(3).equals("no tokens") ? "NONE" : "WHILE_DATA_LIVES",
                        Set.of(cells.get(4).split(", ")),
                        Long.parseLong(cells.get(5)),
                        Long.parseLong(cells.get(6)),
                        new HashMap<>()))
                .toList();
    }

    /** The README with the columns that follow from results; a row whose suite has none stays as it is. */
    static String readme(String text, List<SuiteResult> results) {
        return text.lines()
                .map(line -> suite(line)
                        .flatMap(suite -> results.stream()
                                .filter(result -> result.suite().equals(suite))
                                .findFirst())
                        .map(result -> row(line, result))
                        .orElse(line))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** The suite of a row of the table of stores. */
    static Optional<String> suite(String line) {
        Matcher url = URL.matcher(line);
        return url.lookingAt() ? Optional.ofNullable(SUITES.get(url.group(1))) : Optional.empty();
    }

    private static String row(String line, SuiteResult result) {
        List<String> cells = cells(line);
        String level = cells.get(LEVEL).replaceFirst("^[A-Z_]+", result.level());
        cells.set(LEVEL, level);
        cells.set(TOKENS, tokens(result));
        cells.set(WAITING, waiting(result.features()));
        cells.set(LISTS, lists(result.features()));
        return String.join(" | ", cells).strip();
    }

    private static List<String> cells(String line) {
        return Arrays.asList((" " + line + " ").split(" \\| ", -1));
    }

    private static String tokens(SuiteResult result) {
        if (result.fencing().equals("NONE")) {
            return "no tokens";
        }
        return result.level().equals("QUORUM") ? "while a majority keeps its data" : "while the data lives";
    }

    private static String waiting(Set<String> features) {
        if (!features.contains("PROMPT")) {
            return "polls";
        }
        return features.contains("FAIR") ? "is notified, in order of arrival" : "is notified";
    }

    private static String lists(Set<String> features) {
        if (features.contains("LISTABLE")) {
            return features.contains("REVOCABLE") ? "yes" : "lists, but does not revoke";
        }
        return features.contains("REVOCABLE") ? "shows and revokes, but does not list" : "no";
    }
}
