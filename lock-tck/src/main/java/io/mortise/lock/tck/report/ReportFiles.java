// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import io.mortise.lock.tck.history.Hold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the report of a run: {@code NAME.html} to look at and {@code NAME.json} for programs. */
public final class ReportFiles {
    private ReportFiles() {}

    /**
     * Writes both files, instead of those of an earlier run.
     *
     * @param directory which is made if it is not there
     * @param name of the test class
     * @param badge the last line of the run
     * @param cases in the order of their names
     * @throws IOException if a file could not be written
     */
    public static void write(Path directory, String name, String badge, List<CaseResult> cases) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".json"), json(name, badge, cases));
        Files.writeString(directory.resolve(name + ".html"), new ReportPage(name, badge, cases).text());
    }

    private static String json(String name, String badge, List<CaseResult> cases) {
        return "{\"suite\":" + quoted(name) + ",\"badge\":" + quoted(badge) + ",\"cases\":[\n"
                + cases.stream().map(ReportFiles::json).collect(Collectors.joining(",\n")) + "\n]}\n";
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

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(unit -> {
            if (unit == '"' || unit == '\\') {
                quoted.append('\\').append((char) unit);
            } else if (unit < ' ' || unit > '~') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", unit));
            } else {
                quoted.append((char) unit);
            }
        });
        return quoted.append('"').toString();
    }
}
