// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents name what is there. */
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#\\s]+)");

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
}
