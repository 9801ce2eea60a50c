// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One SQLite file under all the names that a URL can give it. */
class SqlitePathsTest {
    private static final String NAME = "my locks%.db";

    @TempDir
    Path folder;

    private Path data;
    private String plain;

    @BeforeEach
    void makeLinks() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        plain = "jdbc:sqlite:" + data.resolve(NAME);
        Files.createSymbolicLink(folder.resolve("link.db"), data.resolve(NAME));
        Files.createSymbolicLink(folder.resolve("link to link.db"), Path.of("link.db"));
        Files.createSymbolicLink(folder.resolve("folder"), data);
    }

    private String url(String spelling) {
        return "jdbc:sqlite:"
                + spelling.replace(
                                "RELATIVE",
                                Path.of("").toAbsolutePath().relativize(data).toString())
                        .replace("DATA", data.toString())
                        .replace("FOLDER", folder.toString());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(data)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith("-wal") && !name.endsWith("-shm"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DATA/my locks%.db",
                "RELATIVE/my locks%.db",
                "DATA/../data/./my locks%.db",
                "DATA/my locks%.db?busy_timeout=1000&foreign=1",
                "file:DATA/my%20locks%25.db",
                "file:DATA/my locks%.db",
                "file:RELATIVE/my%20locks%.db",
                "file://localhostDATA/my%20locks%25.db",
                "file://DATA/my%20locks%25.db#part",
                "file:DATA/m%79%20locks%25.db?mode=rwc&cache=private",
                "FOLDER/link.db",
                "file:FOLDER/link%20to%20link.db",
                "FOLDER/folder/my locks%.db",
            })
    void everySpellingIsTheSameStore(String spelling) throws Exception {
        try (Client other = Client.open(url(spelling));
                Client client = Client.open(plain)) {
            Claim held = other.held("a");
            assertThat(tryAcquire(client.claim("a"))).isFalse();
            assertThat(files()).containsExactly(NAME);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(NAME))))
                    .isEqualTo("rw-------");
            for (Path file : List.of(data.resolve(NAME), data.resolve(NAME + "-wal"), data.resolve(NAME + "-shm"))) {
                Files.delete(file);
            }
            client.held("a");
            assertThat(held.renew(LEASE, ENOUGH)).as("the file was replaced").isFalse();
            assertThat(files()).containsExactly(NAME);
        }
    }

    @Test
    void aLinkThatNamesAnotherFileNowIsFollowed() throws Exception {
        Path link = folder.resolve("link.db");
        try (Client before = Client.open("jdbc:sqlite:" + link)) {
            Claim held = before.held("a");
            Files.delete(link);
            Files.createSymbolicLink(link, data.resolve("other.db"));
            try (Client after = Client.open("jdbc:sqlite:" + link)) {
                after.held("a");
                assertThat(held.renew(LEASE, ENOUGH)).isFalse();
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("other.db"))))
                        .isEqualTo("rw-------");
            }
        }
    }

    /** Each name would have a log of its own. */
    @Test
    void aFileWithSeveralNamesIsRefused() throws Exception {
        Client.open(plain).close();
        Files.createLink(data.resolve("second.db"), data.resolve(NAME));
        assertThatThrownBy(() -> Client.open("jdbc:sqlite:" + data.resolve("second.db")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("hard links");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:DATA/a.db?nolock=1",
                "file:DATA/a.db?immutable=true",
                "file:DATA/a.db?vfs=unix-none",
                "file:DATA/a.db?%6Eolock=1",
                "file:DATA/a.db?mode=%6Demory",
                "file:%3Amemory%3A",
                "file://elsewhereDATA/a.db",
                ":resource:a.db",
                "~/a.db",
                "DATA",
            })
    void whatWouldExcludeNobodyIsRefused(String spelling) throws Exception {
        assertThatThrownBy(() -> Client.open(url(spelling))).isInstanceOf(LockConfigurationException.class);
        assertThat(files()).isEmpty();
    }
}
