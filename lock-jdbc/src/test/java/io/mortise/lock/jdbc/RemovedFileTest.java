// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite file that is removed under its clients: a connection would go on with it, unseen by everybody else. */
class RemovedFileTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("locks.db");
    }

    private Client open() {
        return Client.open("jdbc:sqlite:" + file() + "?mortise.table=some_locks");
    }

    private void removeAll() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : List.copyOf(all.toList())) {
                Files.delete(each);
            }
        }
    }

    @Test
    void aHolderInTheRemovedFileLosesTheLock() throws Exception {
        try (Client first = open()) {
            Claim lost = first.held("a");
            removeAll();
            try (Client second = open()) {
                Claim held = second.held("a");
                assertThat(lost.renew(LEASE, Client.ENOUGH)).isFalse();
                assertThat(lost.loss().cause()).isEqualTo(LossCause.TAKEN_OVER);
                assertThat(Client.tryAcquire(first.claim("a"))).isFalse();
                assertThat(held.renew(LEASE, Client.ENOUGH)).isTrue();
                assertThat(held.release(Client.ENOUGH)).isTrue();
                assertThat(Client.tryAcquire(first.claim("a"))).isTrue();
            }
        }
    }

    @Test
    void theFirstClientThatNoticesMakesANewFile() throws Exception {
        try (Client first = open()) {
            Claim lost = first.held("a");
            long token = lost.fencingToken();
            for (int i = 0; i < 3; i++) {
                removeAll();
                assertThat(lost.renew(LEASE, Client.ENOUGH)).isFalse();
                lost = first.held("a");
                assertThat(lost.fencingToken()).isGreaterThan(token);
                token = lost.fencingToken();
                try (Client second = open()) {
                    assertThat(Client.tryAcquire(second.claim("a"))).isFalse();
                }
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                        .isEqualTo("rw-------");
            }
        }
    }
}
