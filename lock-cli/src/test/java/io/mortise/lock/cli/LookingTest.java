// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions about a store that is not there. */
class LookingTest {
    @TempDir
    private Path directory;

    private Path stores;

    @BeforeEach
    void makeFolder() throws IOException {
        stores = Files.createDirectory(directory.resolve("stores"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:sqlite:STORES/locks.db", "jdbc:sqlite:STORES/no/such/locks.db", "jdbc:h2:file:STORES/locks"
            })
    @DisplayName("64 for a path where there is no store, and nothing is made")
    void missing(String url) {
        String store = url.replace("STORES", stores.toString());
        for (List<String> question :
                List.of(List.of("ls"), List.of("show", "x"), List.of("revoke", "x", "--reason", "y"))) {
            String[] line = Stream.concat(question.stream(), Stream.of("--store", store))
                    .toArray(String[]::new);
            try (Mortise mortise = Mortise.start(directory, line)) {
                assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
                assertThat(mortise.err()).contains("correct its").hasLineCount(1);
                assertThat(mortise.out()).isEmpty();
            }
        }
        assertThat(stores).isEmptyDirectory();
    }

    @Test
    @DisplayName("nobody holds a lock of the default store before it is there, and it is not made")
    void noDefaultYet() {
        try (Mortise list = Mortise.start(directory, "ls", "--json");
                Mortise show = Mortise.start(directory, "show", "x", "--json");
                Mortise revoke = Mortise.start(directory, "revoke", "x", "--reason", "y")) {
            assertThat(list.exitCode()).as(list.err()).isZero();
            assertThat(list.out()).isEqualTo("[\n]\n");
            assertThat(show.exitCode()).as(show.err()).isEqualTo(1);
            assertThat(show.out()).isEqualTo("{\"lock\":\"x\",\"held\":false}\n");
            assertThat(revoke.exitCode()).as(revoke.err()).isEqualTo(1);
        }
        assertThat(directory.resolve("mortise")).doesNotExist();
    }

    @Test
    @DisplayName("run makes the file but no folder of a path that is given")
    void noFolder() {
        try (Mortise wrong = Mortise.start(
                        directory, "run", "--store", "jdbc:sqlite:" + stores + "/no/a.db", "x", "--", "true");
                Mortise right = Mortise.start(
                        directory, "run", "--store", "jdbc:sqlite:" + stores + "/a.db", "x", "--", "true")) {
            assertThat(wrong.exitCode()).isEqualTo(64);
            assertThat(wrong.err())
                    .contains("there is no folder " + stores + "/no")
                    .hasLineCount(1);
            assertThat(right.exitCode()).as(right.err()).isZero();
        }
        assertThat(stores.resolve("no")).doesNotExist();
    }

    @Test
    @DisplayName("a relative path is told with the absolute one")
    void relative() {
        try (Mortise mortise = Mortise.start(directory, "run", "--store", "jdbc:sqlite:a.db", "x", "--", "true")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            assertThat(mortise.err()).contains(directory + "/a.db only in this working directory");
        }
    }
}
