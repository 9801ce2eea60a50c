// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/wrong-locks.md} has the wrong locks of these tests, each with what its comment says. */
class GalleryTest {
    private static final Path PAGE = Path.of("..", "docs", "wrong-locks.md");
    private static final Path SOURCES =
            Path.of("..", "lock-tck", "src", "test", "java", "io", "mortise", "lock", "tck", "wrong");
    private static final String HEAD = "| wrong lock | what is wrong with it | caught by |\n| --- | --- | --- |\n";

    @Test
    void thePageHasEachWrongLock() throws IOException {
        String table = HEAD
                + WrongLock.ALL.stream()
                        .sorted(Comparator.comparing(
                                        (WrongLock lock) -> rule(lock.caughtBy().get(0)))
                                .thenComparing(WrongLock::toString))
                        .map(GalleryTest::row)
                        .distinct()
                        .collect(Collectors.joining());
        String page = Files.readString(PAGE);

        assertThat(page.substring(page.indexOf(HEAD)))
                .as("the table in docs/wrong-locks.md; if a wrong lock has changed, put this there:\n%s", table)
                .isEqualTo(table);
    }

    private static String row(WrongLock lock) {
        String rules =
                lock.caughtBy().stream().map(GalleryTest::rule).distinct().collect(Collectors.joining(", "));
        return "| `" + lock + "` | " + comment(lock.store().get().getClass()) + " | " + rules + " |\n";
    }

    /** The rule that a case is named after, such as A1. */
    static String rule(String name) {
        return name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    /** What stands above the class in its source. */
    private static String comment(Class<?> wrong) {
        try {
            String source =
                    Files.readString(SOURCES.resolve(wrong.getEnclosingClass().getSimpleName() + ".java"));
            Matcher found = Pattern.compile(
                            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s+(?:static |final |abstract )*class " + wrong.getSimpleName()
                                    + "\\b",
                            Pattern.DOTALL)
                    .matcher(source);
            assertThat(found.find()).as("%s has a comment", wrong).isTrue();
            return found.group(1)
                    .replaceAll("\\s*\\n\\s*\\* ?", " ")
                    .replaceFirst("^\\s*W[0-9]+: ", "")
                    .replaceAll("\\{@\\w+ ([^}]*)}", "`$1`")
                    .replace("|", "\\|")
                    .strip();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
