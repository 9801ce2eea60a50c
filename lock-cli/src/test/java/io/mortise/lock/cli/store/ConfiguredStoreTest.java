// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredStoreTest {
    private static final Path OF_THE_HOST = Path.of("/etc/mortise/store");

    @TempDir
    private Path directory;

    @Test
    @DisplayName(
            "the user's file is looked for first: under XDG_CONFIG_HOME if that is an absolute path, else under HOME")
    void places() {
        assertThat(ConfiguredStore.places("/config", "/home/ann"))
                .containsExactly(Path.of("/config/mortise/store"), OF_THE_HOST);
        for (String unusable : new String[] {null, "", "relative"}) {
            assertThat(ConfiguredStore.places(unusable, "/home/ann"))
                    .containsExactly(Path.of("/home/ann/.config/mortise/store"), OF_THE_HOST);
            assertThat(ConfiguredStore.places(unusable, unusable)).containsExactly(OF_THE_HOST);
        }
    }

    @Test
    @DisplayName("the first file that there is names the store, and none names none")
    void first() throws IOException {
        Path missing = directory.resolve("missing");
        Path own = Files.writeString(directory.resolve("own"), "  memory:own \nmemory:second line\n");
        Path hosts = Files.writeString(directory.resolve("host"), "memory:host");
        assertThat(ConfiguredStore.url(List.of(own, hosts))).contains("memory:own");
        assertThat(ConfiguredStore.url(List.of(missing, hosts))).contains("memory:host");
        assertThat(ConfiguredStore.url(List.of(missing))).isEmpty();
    }

    @Test
    @DisplayName("a file that is there and cannot be read, or that names nothing, is not passed over for the next")
    void unreadable() throws IOException {
        Path hosts = Files.writeString(directory.resolve("host"), "memory:host");
        Path empty = Files.writeString(directory.resolve("empty"), "\n");
        Path loop = directory.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        for (Path own : List.of(directory, empty, loop)) {
            assertThatThrownBy(() -> ConfiguredStore.url(List.of(own, hosts)))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining(own.toString());
        }
    }
}
