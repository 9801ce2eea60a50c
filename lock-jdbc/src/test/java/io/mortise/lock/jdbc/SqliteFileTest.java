// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.RefusalContract.cannotConnect;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files and folders a SQLite URL makes, refuses and warns of. */
class SqliteFileTest {
    private static final Logger LOGGER = Logger.getLogger("io.mortise.lock.jdbc.connection.SqliteFile");

    @TempDir
    Path folder;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private final Handler listening = new Handler() {
        @Override
        public void publish(LogRecord warning) {
            warnings.add(warning.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(listening);
    }

    @AfterEach
    void stopListening() {
        LOGGER.removeHandler(listening);
    }

    private static String url(Path file) {
        return "jdbc:sqlite:" + file;
    }

    private Path made(String name) {
        Path file = folder.resolve(name);
        Client.open(url(file)).close();
        return file;
    }

    private static Path allow(Path file, String permissions) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aFolderThatIsNotThereIsToldAndNotMade() {
        cannotConnect(url(folder.resolve("no/such/locks.db")), "there is no folder " + folder.resolve("no/such"));
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:sqlite:FOLDER/locks.db?", "jdbc:sqlite:FOLDER/no/locks.db?", "jdbc:h2:file:FOLDER/locks;"})
    void aClientThatMakesNoTableMakesNoFileEither(String url) {
        cannotConnect(url.replace("FOLDER", folder.toString()) + "mortise.createSchema=false", "correct its");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aClientThatMakesNoTableUsesTheFileOfAnother() {
        Path file = folder.resolve("locks.db");
        try (Client maker = Client.open(url(file));
                Client user = Client.open(url(file) + "?mortise.createSchema=false")) {
            maker.held("a");
            assertThat(Client.tryAcquire(user.claim("a"))).isFalse();
        }
    }

    @Test
    void aRelativePathIsWarnedOfOnceWithTheAbsoluteOne() throws Exception {
        Path name = Files.createTempFile(Path.of(""), "relative", ".db");
        try {
            Files.delete(name);
            Client.open(url(name)).close();
            Client.open(url(name)).close();
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(name.toAbsolutePath() + " only in this working directory");
        } finally {
            Files.deleteIfExists(name);
        }
    }

    @Test
    void aFileThatEverybodyCanWriteIsWarnedOfOrRefused() throws Exception {
        Path file = allow(made("locks.db"), "rw-rw-rw-");
        Client.open(url(file)).close();
        Client.open(url(file)).close();
        assertThat(warnings).singleElement().asString().contains("chmod go-w " + file);
        cannotConnect(url(file) + "?mortise.privateFile=true", "chmod go-w " + file);
    }

    @Test
    void aFolderOrALinkThroughWhichOthersCanReplaceAPrivateFileIsRefused() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Path closed = allow(Files.createDirectory(folder.resolve("closed")), "rwx------");
        Path file = open.resolve("locks.db");
        Client.open(url(file)).close();
        allow(open, "rwxrwxrwx");
        cannotConnect(url(file) + "?mortise.privateFile=true", "chmod go-w " + open);
        Path link = Files.createSymbolicLink(closed.resolve("locks.db"), file);
        cannotConnect(url(link) + "?mortise.privateFile=true", "chmod go-w " + open);
        Files.createSymbolicLink(open.resolve("link"), closed);
        Client.open(url(closed.resolve("own.db"))).close();
        cannotConnect(url(open.resolve("link/own.db")) + "?mortise.privateFile=true", "chmod go-w " + open);
    }

    @Test
    void aPrivateFileIsMadeForItsUserAloneAlsoBehindALinkToNothing() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), folder.resolve("locks.db"));
        try (Client client = Client.open(url(link) + "?mortise.privateFile=true")) {
            client.held("a");
            for (String name : List.of("locks.db", "locks.db-wal", "locks.db-shm")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
                        .isEqualTo("rw-------");
            }
        }
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode=ro", "open_mode=1", "m%6Fde=RO"})
    void aSettingThatLetsNobodyWriteIsRefused(String setting) {
        cannotConnect("jdbc:sqlite:file:" + folder.resolve("locks.db") + "?" + setting, "remove it");
    }

    /** Processes that start together would wait for each other. */
    @Test
    void openingAFileWithItsTablesOnlyReads() {
        Path file = made("locks.db");
        try (Rows rows = new Rows(url(file))) {
            rows.execute("begin immediate");
            long start = System.nanoTime();
            Client.open(url(file)).close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Client.ENOUGH);
            rows.execute("rollback");
        }
    }
}
