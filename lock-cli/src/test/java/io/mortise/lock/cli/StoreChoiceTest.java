// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file in {@code XDG_CONFIG_HOME} that names the store, as the command finds it. */
class StoreChoiceTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void makeDirectory() throws IOException {
        file = Files.createDirectory(directory.resolve("mortise")).resolve("store");
    }

    private Mortise list(Map<String, String> environment, String... options) {
        String[] line = new String[options.length + 1];
        line[0] = "ls";
        System.arraycopy(options, 0, line, 1, options.length);
        return Mortise.start(directory, environment, Path.of("/dev/null"), Mortise.commandLine(line));
    }

    @Test
    @DisplayName("the file is used if no option and no variable names a store, and only then")
    void order() throws IOException {
        Files.writeString(file, "nothing:x\n");
        try (Mortise configured = list(Map.of());
                Mortise variable = list(Map.of("MORTISE_STORE", "memory:x"));
                Mortise option = list(Map.of(), "--store", "memory:x")) {
            assertThat(configured.exitCode()).as(configured.err()).isEqualTo(64);
            assertThat(configured.err()).contains("nothing:").hasLineCount(1);
            assertThat(variable.exitCode()).as(variable.err()).isZero();
            assertThat(option.exitCode()).as(option.err()).isZero();
        }
    }

    @Test
    @DisplayName("a password that every user can read draws a warning without the password")
    void warning() throws IOException {
        Files.writeString(file, "redis://ann:sesame@localhost:1/\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (Mortise open = list(Map.of())) {
            assertThat(open.exitCode()).as(open.err()).isEqualTo(69);
            assertThat(open.err())
                    .startsWith("mortise: every user can read the password in " + file + ": chmod o-r it\n")
                    .doesNotContain("sesame");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        try (Mortise closed = list(Map.of())) {
            assertThat(closed.exitCode()).as(closed.err()).isEqualTo(69);
            assertThat(closed.err()).doesNotContain("every user").doesNotContain("sesame");
        }
    }
}
