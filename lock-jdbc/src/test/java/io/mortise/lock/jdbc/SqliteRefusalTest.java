// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static io.mortise.lock.jdbc.RefusalContract.cannotConnect;
import static io.mortise.lock.jdbc.RefusalContract.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Claim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteRefusalTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("locks.db");
    }

    private String url() {
        return "jdbc:sqlite:" + file();
    }

    @Test
    void aFileThatIsNoDatabaseIsToldAtOnceAndLeftAsItIs() throws Exception {
        String text = "no database, but a text that somebody needs. ".repeat(100);
        Files.writeString(file(), text);
        cannotConnect(url(), "is no database");
        assertThat(file()).hasContent(text);
    }

    @Test
    void aFileThatMayOnlyBeReadIsToldAtOnce() {
        Client.open(url()).close();
        cannotConnect("jdbc:sqlite:file:" + file() + "?mode=ro", "only be read");
        cannotConnect(url() + "?open_mode=1", "only be read");
    }

    @Test
    void aFullDatabaseIsToldAtOnceAndWorkGoesOnWhenThereIsRoom() {
        String name = "x".repeat(100_000);
        try (Client full = Client.open(url() + "?max_page_count=8");
                Client client = Client.open(url())) {
            Claim held = full.held("a");
            isRefused(() -> tryAcquire(full.claim(name)), "make some");
            assertThat(tryAcquire(client.claim(name))).as("nothing was changed").isTrue();
            assertThat(held.renew(LEASE, ENOUGH)).isTrue();
            assertThat(held.release(Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void aDroppedTableIsToldAtOnce() {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            Claim held = client.held("a");
            rows.execute("drop table mortise_locks");
            isRefused(() -> tryAcquire(client.claim("b")), "missing");
            isRefused(() -> held.renew(LEASE, ENOUGH), "missing");
            Client.open(url()).close();
            assertThat(tryAcquire(client.claim("b"))).isTrue();
        }
    }

    @Test
    void aTableWithoutOurColumnsIsToldAtConnect() {
        try (Rows rows = new Rows(url())) {
            rows.execute("create table mortise_locks (lock_key text)");
        }
        cannotConnect(url(), "not that of this version");
    }
}
