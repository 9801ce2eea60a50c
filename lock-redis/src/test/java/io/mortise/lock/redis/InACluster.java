// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.tck.servers.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Starts a Cluster for all tests of a class, and connects to it for each. */
class InACluster {
    static RedisCluster cluster;
    RedisBackend backend;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void connect() {
        backend = Claims.open(cluster.url());
    }

    @AfterEach
    void disconnect() {
        backend.close();
        cluster.awaitHealthy();
    }
}
