// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test class with a backend for each test, in a server that is empty when the test begins. */
abstract class RedisBackendTest extends RedisServerTest {
    RedisBackend backend;

    @BeforeEach
    void connect() {
        server.flush();
        backend = Claims.open(server.url());
    }

    @AfterEach
    void disconnect() {
        backend.close();
    }
}
