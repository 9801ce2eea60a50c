// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** What ShedLock asks of each provider, on one store. Whether a lock is held is asked by a client of somebody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProviderTests extends AbstractExtensibleLockProviderIntegrationTest {
    /** Stands in a URL for a name of each test, where a lock may be kept for longer than a test. */
    static final String TEST = "TEST";

    private final Deque<AutoCloseable> servers = new ArrayDeque<>();
    private String url = "";
    private LockClient client;
    private LockClient others;

    /** Starts the store, and returns its URL. */
    abstract String start();

    /** Lets a server run until the tests of this store have ended. */
    <T extends AutoCloseable> T started(T server) {
        servers.push(server);
        return server;
    }

    @BeforeAll
    void startStore() {
        url = start();
    }

    @AfterAll
    void stopStore() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    @BeforeEach
    void connect() {
        String own = url.replace(TEST, UUID.randomUUID().toString());
        client = connected(own);
        others = connected(own);
    }

    /** With patience: a store may stand still now and then. */
    private static LockClient connected(String url) {
        return LockClient.builder(url).callTimeout(Duration.ofSeconds(20)).build();
    }

    @AfterEach
    void close() {
        client.close();
        others.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new MortiseLockProvider(client);
    }

    /** Free for all now, or as soon as a busy machine comes to it: a release that others see may not have come back to its client. */
    @Override
    protected void assertUnlocked(String name) {
        LockOptions waiting = LockOptions.defaults().withMaxWait(Duration.ofSeconds(5));
        for (LockClient each : List.of(others, client)) {
            try (Lease lease = each.lock(name, waiting).acquire()) {
                assertThat(lease.isHeld()).as("the lock is free").isTrue();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(others.lock(name).tryAcquire()).as("the lock is held").isEmpty();
    }
}
