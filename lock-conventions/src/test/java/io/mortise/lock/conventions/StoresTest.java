// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the README and the documents say of the stores is what their suites said. Where the property {@code mortise.stores.reports}
 * names a folder of reports, they are written anew from those.
 */
class StoresTest {
    private static final Path README = SourceTree.root().resolve("README.md");
    private static final Path PAGE = SourceTree.root().resolve(ConformancePage.FILE);

    @BeforeAll
    static void write() throws IOException {
        String reports = System.getProperty("mortise.stores.reports", "");
        if (!reports.isEmpty()) {
            List<SuiteResult> results = SuiteResult.in(Path.of(reports));
            Files.writeString(PAGE, ConformancePage.text(results));
            Files.writeString(README, ConformancePage.readme(Files.readString(README), results));
        }
    }

    @Test
    void theReadmeSaysOfEachStoreWhatItsSuiteSaid() throws IOException {
        String readme = Files.readString(README);

        assertThat(ConformancePage.readme(readme, ConformancePage.read(Files.readString(PAGE))))
                .as("the README as ./verify --stores would write it")
                .isEqualTo(readme);
    }

    @Test
    void eachRowOfTheReadmeHasItsSuiteOnThePage() throws IOException {
        List<String> suites = ConformancePage.read(Files.readString(PAGE)).stream()
                .map(SuiteResult::suite)
                .toList();

        assertThat(SourceTree.lines(README).stream().filter(line -> line.contains("| `io.mortise:")))
                .hasSizeGreaterThan(8)
                .allSatisfy(line -> assertThat(ConformancePage.suite(line))
                        .hasValueSatisfying(suite -> assertThat(suites).contains(suite)));
    }

    @Test
    void noCaseFailed() throws IOException {
        assertThat(ConformancePage.read(Files.readString(PAGE)))
                .hasSizeGreaterThan(8)
                .allSatisfy(result -> {
                    assertThat(result.failed()).isZero();
                    assertThat(result.passed()).isGreaterThan(10);
                });
    }
}
