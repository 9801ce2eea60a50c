// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.LockBackendTck;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents say what the code does. */
class DocumentsTest {
    private static final Pattern RULE = Pattern.compile("^- \\*\\*([A-W]\\d+)\\*\\* ", Pattern.MULTILINE);
    private static final Pattern CASE = Pattern.compile("`([a-w]\\d+_\\w+)`");

    private static String document(String name) throws IOException {
        return Files.readString(Path.of("..", "docs", name));
    }

    @Test
    void theSpecificationCitesEveryCaseAndNoOther() throws IOException {
        Set<String> cited = new TreeSet<>();
        Matcher matcher = CASE.matcher(document("SPEC.md"));
        while (matcher.find()) {
            cited.add(matcher.group(1));
        }
        Set<String> written = new TreeSet<>();
        Cases.of(LockBackendTck.class).forEach(method -> written.add(method.getName()));

        assertThat(cited).isEqualTo(written);
    }

    @Test
    void everyCaseIsNamedAndCitedByItsRule() throws IOException {
        Set<String> numbers = new TreeSet<>();
        String[] rules = RULE.split(document("SPEC.md"), -1);
        Matcher ids = RULE.matcher(document("SPEC.md"));
        for (int i = 1; ids.find(); i++) {
            String id = ids.group(1);
            numbers.add(id);
            Matcher cases = CASE.matcher(rules[i]);
            while (cases.find()) {
                assertThat(cases.group(1)).startsWith(id.toLowerCase(Locale.ROOT) + "_");
            }
        }
        for (Method method : Cases.of(LockBackendTck.class)) {
            assertThat(numbers).contains(RuleNames.numberOf(method));
        }
    }

    @Test
    void adoptionTakesFewerThanFifteenLines() throws IOException {
        String page = document("writing-a-backend.md");
        List<String> shown = page.substring(
                        page.indexOf("```java\n") + 8, page.indexOf("```\n", page.indexOf("```java")))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        Path source = Path.of("src/test/java/io/mortise/lock/tck/Example.java");
        List<String> compiled = Files.readAllLines(source).stream()
                .map(line -> line.strip().replace("static class", "class"))
                .toList();

        assertThat(shown).hasSizeLessThan(15);
        assertThat(compiled).containsSubsequence(shown);
    }
}
