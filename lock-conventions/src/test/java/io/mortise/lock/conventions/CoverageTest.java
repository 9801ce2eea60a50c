// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every module with a backend runs the conformance suite on it. */
class CoverageTest {
    private static final String SERVICE =
            "src/main/resources/META-INF/services/io.mortise.lock.spi.LockBackendProvider";
    private static final String SUITE = "LockBackendTck";
    private static final Pattern SUBCLASS =
            Pattern.compile("(?<abstract>abstract )?class (?<name>\\w+)\\s+extends (?<parent>\\w+)");

    @Test
    void everyBackendModuleRunsTheConformanceSuite() {
        List<Path> backends = SourceTree.modules().stream()
                .filter(module -> Files.exists(module.resolve(SERVICE)))
                .toList();

        assertThat(backends).hasSizeGreaterThan(1);
        assertThat(backends).allMatch(module -> runsTheSuite(whereItsTestsAre(module)));
    }

    /** The suite depends on lock-api, so lock-api's own backend meets it over there. */
    private static Path whereItsTestsAre(Path module) {
        return module.endsWith("lock-api") ? module.resolveSibling("lock-tck") : module;
    }

    private static boolean runsTheSuite(Path module) {
        String sources = SourceTree.testSources(module).stream()
                .flatMap(file -> SourceTree.lines(file).stream())
                .collect(joining("\n"));
        Map<String, String> parents = new HashMap<>();
        Matcher declared = SUBCLASS.matcher(sources);
        while (declared.find()) {
            parents.put(declared.group("name"), declared.group("parent"));
        }
        return SUBCLASS.matcher(sources)
                .results()
                .filter(match -> match.group(1) == null)
                .anyMatch(match -> isSuite(match.group(3), parents));
    }

    private static boolean isSuite(@Nullable String name, Map<String, String> parents) {
        return name != null && (name.equals(SUITE) || isSuite(parents.get(name), parents));
    }
}
