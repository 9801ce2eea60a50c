// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two JVMs on one file, one of them killed or frozen. */
class ProcessesTest {
    private static final Duration CHILDS_LEASE = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    @Test
    void aKilledHoldersLockOnSqliteIsFreeWhenItsLeaseEnds() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("locks.db");
        try (Client client = Client.open(url);
                ChildHolder child = ChildHolder.start(url, "a", CHILDS_LEASE)) {
            Claim claim = client.claim("a");
            assertThat(tryAcquire(claim)).isFalse();
            child.kill();
            assertThat(tryAcquire(claim)).as("its lease has not ended").isFalse();
            await().atMost(CHILDS_LEASE.plus(ENOUGH)).until(() -> tryAcquire(claim));
            assertThat(claim.fencingToken()).isGreaterThan(child.fencingToken());
        }
    }

    @Test
    void aFrozenHolderOnSqliteKeepsNobodyFromAnAnswer() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("locks.db");
        try (Client client = Client.open(url);
                ChildHolder child = ChildHolder.start(url, "a", Duration.ofMinutes(1))) {
            child.freeze();
            Duration soon = Duration.ofSeconds(2);
            assertThat(client.claim("a").tryAcquire(soon)).isFalse();
            Claim other = client.claim("b");
            assertThat(other.tryAcquire(soon)).isTrue();
            assertThat(other.release(soon)).isTrue();
        }
    }

    @Test
    void aKilledServingJvmOfAutoServerForgetsNoGrants() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("locks") + ";AUTO_SERVER=TRUE";
        Duration lease = Duration.ofSeconds(20);
        try (ChildHolder server = ChildHolder.start(url, "a", lease);
                Client client = Client.open(url)) {
            Claim held = client.claim("b", lease, 0, 1);
            assertThat(tryAcquire(held)).isTrue();
            server.kill();
            await().atMost(ENOUGH)
                    .ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> held.renew(LEASE, ENOUGH));
            Claim other = client.claim("a");
            assertThat(tryAcquire(other)).as("the killed JVM's grant").isFalse();
            assertThat(held.release(ENOUGH)).isTrue();
        }
    }
}
