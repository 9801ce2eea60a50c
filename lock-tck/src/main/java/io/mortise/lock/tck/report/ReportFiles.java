// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import static io.mortise.lock.tck.history.JsonText.quoted;

import io.mortise.lock.tck.history.Hold;
import io.mortise.lock.tck.scene.BackendDeclaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes the report of a run: {@code NAME.html} to look at, {@code NAME.json} for programs, and of each case the history, as
 * {@code NAME/CASE.jsonl}.
 */
public final class ReportFiles {
    private ReportFiles() {}

    /**
     * Writes both files, instead of those of an earlier run.
     *
     * @param directory which is made if it is not there
     * @param name of the test class
     * @param declared what the backend says of itself; empty if it could not be asked
     * @param badge the last line of the run
     * @param cases in the order of their names
     * @throws IOException if a file could not be written
     */
    public static void write(
            Path directory, String name, Optional<BackendDeclaration> declared, String badge, List<CaseResult> cases)
            throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".json"), json(name, declared, badge, cases));
        Files.writeString(directory.resolve(name + ".html"), new ReportPage(name, badge, cases).text());
    }

    /**
     * Writes the history of a case, instead of that of an earlier run.
     *
     * @param directory which is made if it is not there
     * @param name of the test class
     * @param caseName of its method
     * @param lines the events
     * @throws IOException if the file could not be written
     */
    public static void write(Path directory, String name, String caseName, Iterable<String> lines) throws IOException {
        Files.write(Files.createDirectories(directory.resolve(name)).resolve(caseName + ".jsonl"), lines);
    }

    private static String json(
            String name, Optional<BackendDeclaration> declared, String badge, List<CaseResult> cases) {
        return "{\"suite\":" + quoted(name) + declared.map(ReportFiles::json).orElse("") + ",\"badge\":" + quoted(badge)
                + ",\"cases\":[\n"
                + cases.stream().map(ReportFiles::json).collect(Collectors.joining(",\n")) + "\n]}\n";
    }

    private static String json(BackendDeclaration declared) {
        return ",\"level\":" + quoted(declared.level().name())
                + ",\"fencing\":" + quoted(declared.strength().name())
                + ",\"features\":["
                + declared.features().stream()
                        .sorted()
                        .map(feature -> quoted(feature.name()))
                        .collect(Collectors.joining(","))
                + "]";
    }

    private static String json(CaseResult result) {
        return "{\"case\":" + quoted(result.name())
                + ",\"rule\":" + quoted(result.rule())
                + ",\"feature\":" + quoted(result.feature())
                + ",\"verdict\":" + quoted(result.verdict().name().toLowerCase(Locale.ROOT))
                + ",\"ms\":" + result.millis()
                + ",\"message\":" + quoted(result.message())
                + ",\"holds\":["
                + result.holds().stream().map(ReportFiles::json).collect(Collectors.joining(",")) + "]}";
    }

    private static String json(Hold hold) {
        return "{\"who\":" + quoted(hold.who()) + ",\"claim\":" + hold.claim() + ",\"from_us\":" + hold.from()
                + ",\"to_us\":" + hold.to() + "}";
    }
}
