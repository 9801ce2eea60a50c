// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The repository that {@code ./verify} fills with its option release: what is in it. */
class PublishedArtifactsTest {
    static final Path REPOSITORY = Path.of(System.getProperty("mortise.release"));

    private static final Path GROUP = REPOSITORY.resolve("io/mortise");

    static Stream<String> modules() {
        return Stream.concat(
                Stream.of("mortise-parent"), Poms.published().stream().map(SourceTree::relative));
    }

    static Stream<String> libraries() {
        return modules().filter(module -> !module.equals("mortise-parent") && !module.equals("lock-bom"));
    }

    @Test
    void nothingElseIsPublished() throws IOException {
        try (Stream<Path> children = Files.list(GROUP)) {
            assertThat(children.map(child -> String.valueOf(child.getFileName())))
                    .hasSameElementsAs(modules().toList());
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everyFileHasChecksums(String module) throws IOException {
        assertThat(files(module))
                .anyMatch(file -> file.endsWith(".pom"))
                .filteredOn(file -> file.matches(".*\\.(pom|jar|json)"))
                .allSatisfy(file -> assertThat(files(module)).contains(file + ".md5", file + ".sha1"));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void everyLibraryHasSourcesAndDocumentation(String module) throws IOException {
        assertThat(files(module))
                .anyMatch(file -> file.matches(".*\\d\\.jar"))
                .anyMatch(file -> file.endsWith("-sources.jar"))
                .anyMatch(file -> file.endsWith("-javadoc.jar"));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void everyLibraryListsItsContents(String module) throws IOException {
        Path file = directory(module)
                .resolve(files(module).stream()
                        .filter(name -> name.endsWith("-cyclonedx.json"))
                        .findFirst()
                        .orElseThrow());

        assertThat(Files.readString(file))
                .contains("\"CycloneDX\"")
                .contains("pkg:maven/io.mortise/" + module + "@" + Poms.version())
                // What only tests need is no part of it.
                .doesNotContain("assertj", "archunit");
    }

    private static List<String> files(String module) throws IOException {
        try (Stream<Path> files = Files.list(directory(module))) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    private static Path directory(String module) {
        return GROUP.resolve(module).resolve(Poms.version());
    }
}
