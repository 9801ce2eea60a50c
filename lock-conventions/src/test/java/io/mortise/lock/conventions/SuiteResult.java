// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * What one run of the conformance suite said of a store.
 *
 * @param suite the test class
 * @param level the declared safety level
 * @param fencing the declared strength of the tokens
 * @param features that are declared
 * @param passed the number of cases
 * @param failed the number of cases
 * @param skipped the number of cases for each reason
 */
record SuiteResult(
        String suite,
        String level,
        String fencing,
        Set<String> features,
        long passed,
        long failed,
        Map<String, Long> skipped) {
    /** Those of a folder of reports, in the order of their names. Tests of the command and of the guide run the suite, too. */
    static List<SuiteResult> in(Path reports) throws IOException {
        try (Stream<Path> files = Files.list(reports)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> !file.endsWith("LiveStore.json") && !file.endsWith("ExampleTckTest.json"))
                    .sorted()
                    .map(SuiteResult::read)
                    .toList();
        }
    }

    private static SuiteResult read(Path file) {
        Map<String, Object> report;
        try {
            // Every JSON of pure ASCII is YAML, too.
            report = new Yaml().load(Files.readString(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        long passed = 0;
        long failed = 0;
        Map<String, Long> skipped = new TreeMap<>();
        for (Object each : list(report, "cases")) {
            Map<?, ?> result = (Map<?, ?>) each;
            switch (String.valueOf(result.get("verdict"))) {
                case "passed" -> passed++;
                case "failed" -> failed++;
                default -> skipped.merge(reason(String.valueOf(result.get("message"))), 1L, Long::sum);
            }
        }
        Set<String> features = new HashSet<>();
        list(report, "features").forEach(feature -> features.add(String.valueOf(feature)));
        return new SuiteResult(
                String.valueOf(report.get("suite")),
                String.valueOf(report.get("level")),
                String.valueOf(report.get("fencing")),
                features,
                passed,
                failed,
                skipped);
    }

    private static List<?> list(Map<String, Object> report, String name) {
        return (List<?>) Objects.requireNonNull(report.get(name));
    }

    /** Without what to do about it, and without lengths of time, which differ from run to run. */
    private static String reason(String message) {
        return message.replaceFirst("^skipped: ", "")
                .replaceFirst("; to enable the case, .*", "")
                .replaceAll("\\d+ ms", "some ms")
                .replaceAll("PT[0-9.HMS]+", "some time");
    }
}
