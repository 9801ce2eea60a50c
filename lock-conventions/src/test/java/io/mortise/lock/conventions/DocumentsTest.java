// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents name what is there, and their examples compile. */
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#\\s]+)");

    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void linksLeadSomewhere() {
        List<Path> documents = SourceTree.files(file -> file.toString().endsWith(".md"));

        assertThat(documents).hasSizeGreaterThan(5);
        assertThat(documents.stream().flatMap(DocumentsTest::deadLinks)).isEmpty();
    }

    private static Stream<String> deadLinks(Path document) {
        return LINK.matcher(String.join("\n", SourceTree.lines(document)))
                .results()
                .map(MatchResult::group)
                .map(link -> link.substring(2))
                .filter(link -> !Files.exists(document.resolveSibling(link)))
                .map(link -> SourceTree.relative(document) + " -> " + link);
    }

    @Test
    void javaExamplesAreCompiledSomewhere() {
        String compiled =
                SourceTree.files(file -> file.toString().endsWith(".java")
                                && file.toString().contains("src/test/"))
                        .stream()
                        .map(source -> squeezed(String.join("\n", SourceTree.lines(source))))
                        .collect(Collectors.joining("\n"));
        int examples = 0;
        for (Path document : SourceTree.files(file -> file.toString().endsWith(".md"))) {
            String text = String.join("\n", SourceTree.lines(document));
            for (MatchResult block : JAVA_BLOCK.matcher(text).results().toList()) {
                examples++;
                assertThat(compiled.contains(squeezed(block.group(1))))
                        .as("compiled in some test: %s of %s", block.group(1), SourceTree.relative(document))
                        .isTrue();
            }
        }
        assertThat(examples).isPositive();
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").trim();
    }
}
