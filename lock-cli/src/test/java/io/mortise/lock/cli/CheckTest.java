// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code mortise check}. */
class CheckTest {
    private static final String GRANTED_TO_A =
            "{\"event\":\"try\",\"who\":\"A\",\"claim\":1,\"lock\":\"a\\u0007b\",\"begin_ns\":0,\"end_ns\":5,"
                    + "\"lease_ns\":1000000000,\"answer\":\"yes\",\"token\":7}\n";
    private static final String GRANTED_TO_B = GRANTED_TO_A
            .replace("\"A\",\"claim\":1", "\"B\",\"claim\":2")
            .replace("\"begin_ns\":0,\"end_ns\":5", "\"begin_ns\":5000000,\"end_ns\":6000000");

    @TempDir
    private Path directory;

    private Mortise check(String... arguments) {
        return Mortise.start(
                directory,
                Stream.concat(Stream.of("check"), Stream.of(arguments)).toArray(String[]::new));
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("history.jsonl"), text, StandardCharsets.UTF_8)
                .toString();
    }

    @Test
    @DisplayName(
            "a wrong history: the lines that prove it, the lock, the rule, what happened, 1; a right one beside it, too")
    void wrong() throws IOException {
        Path right = Files.writeString(directory.resolve("right"), GRANTED_TO_A);
        try (Mortise check = check(right.toString(), file(GRANTED_TO_A + "\n" + GRANTED_TO_B))) {
            assertThat(check.exitCode()).as(check.err()).isEqualTo(1);
            assertThat(check.out().lines())
                    .containsExactly(
                            right + ": right; 1 event, 1 grant, 1 lock",
                            directory.resolve("history.jsonl") + ": wrong; 2 events, 2 grants, 1 lock",
                            "  lines 1, 3, lock 'a\\u{7}b', rule 'one holder at a time': the store promised the lock twice:"
                                    + " to A#1 until 1000.0 ms and to B#2 from 6.0 ms on",
                            "  lines 1, 3, lock 'a\\u{7}b', rule 'tokens rise': the token of a later grant is not greater:"
                                    + " 7 was given to A#1, then 7 to B#2");
            assertThat(check.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("standard input, and the rules that are asked for")
    void options() throws IOException {
        String waited = GRANTED_TO_B.replace("\"answer\":\"yes\",\"token\":7", "\"answer\":\"no\",\"waits\":true")
                + GRANTED_TO_B
                        .replace(
                                "\"begin_ns\":5000000,\"end_ns\":6000000",
                                "\"begin_ns\":4000000000,\"end_ns\":4000000001")
                        .replace("\"token\":7", "\"token\":8");
        Path input = Path.of(file(GRANTED_TO_A + waited));
        for (String longest : List.of("3s", "2500ms")) {
            try (Mortise check = Mortise.start(
                    directory,
                    Map.of(),
                    input,
                    Mortise.commandLine("check", "--fair", "--longest-wait", longest, "-"))) {
                assertThat(check.exitCode()).as(check.out() + check.err()).isEqualTo(longest.equals("3s") ? 0 : 1);
                assertThat(check.out())
                        .startsWith("standard input: ")
                        .contains(
                                longest.equals("3s")
                                        ? ": right"
                                        : "rule 'nobody waits for a free lock': B#2 waited for");
            }
        }
    }

    @Test
    @DisplayName("the example of the documentation is a right history, and shows a wait")
    void documented() throws IOException {
        String page = Files.readString(Path.of("../docs/history.md"));
        int begin = page.indexOf("```json\n") + "```json\n".length();
        String example = file(page.substring(begin, page.indexOf("```", begin)));
        try (Mortise check = check("--fair", "--longest-wait", "1ms", example)) {
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out()).endsWith("history.jsonl: right; 4 events, 2 grants, 1 lock\n");
        }
    }

    @Test
    @DisplayName("where nothing was granted, nothing is proved, and that is said")
    void empty() throws IOException {
        try (Mortise check = check(file("\n"))) {
            assertThat(check.exitCode()).isZero();
            assertThat(check.out()).endsWith("history.jsonl: right; 0 events, 0 grants, 0 locks\n");
            assertThat(check.err()).contains("nothing was granted in ").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"event\":\"try\"}        | line 2: \"claim\" must be a number from 1 on",
                "[1]                        | line 2: each line must be a JSON object",
                "{} {}                      | line 2: a line must hold one JSON object only",
                "{\"who\":null}             | line 2: \"who\" must be a text, a whole number, true or false",
                "{\"who\":1.5}              | line 2: \"who\" must be a text, a whole number, true or false",
                "{\"who\":\"A\",\"who\":\"B\"} | line 2: Duplicate field 'who'",
                "{\"who\":99999999999999999999} | line 2: Numeric value",
                "{                          | line 2: Unexpected end-of-input",
                "yes                        | line 2: Unrecognized token",
            })
    @DisplayName("what is no history: the file, the line, the reason, 64")
    void malformed(String line, String reason) throws IOException {
        try (Mortise check = check(file(GRANTED_TO_A + line + "\n"))) {
            assertThat(check.exitCode()).isEqualTo(64);
            assertThat(check.err()).contains("history.jsonl, " + reason).hasLineCount(1);
            assertThat(check.out()).isEmpty();
        }
    }

    @Test
    @DisplayName("a file that cannot be read: the reason, 64")
    void unreadable() throws IOException {
        Path latin = Files.write(directory.resolve("latin"), new byte[] {(byte) 0xe4, '\n'});
        for (Map.Entry<String, String> each : Map.of(
                        "/no/such.jsonl",
                        "/no/such.jsonl cannot be read: there is no such file",
                        directory.toString(),
                        "cannot be read: ",
                        latin.toString(),
                        "is no text in UTF-8")
                .entrySet()) {
            try (Mortise check = check(each.getKey())) {
                assertThat(check.exitCode()).isEqualTo(64);
                assertThat(check.err()).contains(each.getValue()).hasLineCount(1);
            }
        }
        try (Mortise check = check()) {
            assertThat(check.exitCode()).isEqualTo(64);
            assertThat(check.err()).contains("FILE");
        }
    }

    @Test
    @DisplayName("the suite's own histories are read, and are right")
    void ofTheSuite() throws IOException {
        Path report = directory.resolve("report");
        try (Mortise tck = Mortise.start(
                directory, "tck", "memory:histories", "--cases", "A1,E3,F4,R", "--report", report.toString())) {
            assertThat(tck.exitCode()).as(tck.out()).isZero();
        }
        List<String> files;
        try (Stream<Path> found = Files.list(report.resolve("LiveStore"))) {
            files = found.map(Path::toString).toList();
        }
        assertThat(files).hasSizeGreaterThan(5).allMatch(file -> file.endsWith(".jsonl"));
        try (Mortise check = check(files.toArray(String[]::new))) {
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out().lines()).hasSameSizeAs(files).allMatch(line -> line.contains(": right; "));
        }
    }
}
