// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the sources look like: headers, nullness. */
class SourcesTest {

    private static final String COPYRIGHT = "SPDX-FileCopyrightText: The Mortise authors";
    private static final String LICENSE = "SPDX-License-Identifier: Apache-2.0";

    @Test
    void everySourceScriptAndPomSaysItsLicense() {
        List<Path> files = SourceTree.files(SourcesTest::needsHeader);

        assertThat(files).hasSizeGreaterThan(100);
        assertThat(files.stream().filter(file -> !hasHeader(file)).map(SourceTree::relative))
                .isEmpty();
    }

    @Test
    void everyMainPackageIsNullMarked() {
        Set<Path> packages = SourceTree.mainSources().stream()
                .filter(file -> !file.endsWith("module-info.java"))
                .map(SourcesTest::directory)
                .collect(Collectors.toSet());

        assertThat(packages).hasSizeGreaterThan(5);
        assertThat(packages.stream()
                        .filter(directory -> !isNullMarked(directory))
                        .map(SourceTree::relative))
                .isEmpty();
    }

    private static boolean needsHeader(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".java")
                || name.endsWith(".xml")
                || name.endsWith(".sql")
                || name.endsWith(".sh")
                || name.endsWith(".pl")
                || isScript(file);
    }

    private static boolean isScript(Path file) {
        return Files.isExecutable(file)
                && SourceTree.relative(file).indexOf('.') < 0
                && SourceTree.lines(file).get(0).startsWith("#!");
    }

    private static boolean hasHeader(Path file) {
        List<String> top = SourceTree.lines(file).stream().limit(6).toList();
        return top.stream().anyMatch(line -> line.endsWith(COPYRIGHT))
                && top.stream().anyMatch(line -> line.endsWith(LICENSE));
    }

    private static boolean isNullMarked(Path directory) {
        Path file = directory.resolve("package-info.java");
        return Files.exists(file) && SourceTree.lines(file).contains("@NullMarked");
    }

    private static Path directory(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("no directory: " + file);
        }
        return parent;
    }
}
