// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#: ]+)(?:#[^)]*)?\\)");

    @Test
    void everyJavaExampleIsCompiledSomewhere() throws IOException {
        StringBuilder compiled = new StringBuilder();
        for (Path source : files(".java")) {
            if (source.toString().contains("src/test/")) {
                compiled.append(squeezed(Files.readString(source))).append('\n');
            }
        }
        int examples = 0;
        for (Path document : files(".md")) {
            for (MatchResult block :
                    JAVA_BLOCK.matcher(Files.readString(document)).results().toList()) {
                examples++;
                assertThat(compiled.toString())
                        .as("an example of %s must stand in a compiled test source", ROOT.relativize(document))
                        .contains(squeezed(block.group(1)));
            }
        }
        assertThat(examples).isPositive();
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : files(".md")) {
            LINK.matcher(Files.readString(document)).results().forEach(link -> {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    broken.add(ROOT.relativize(document) + " -> " + link.group(1));
                }
            });
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").trim();
    }
}
