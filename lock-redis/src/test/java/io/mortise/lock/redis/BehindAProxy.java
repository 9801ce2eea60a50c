// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Starts a server for each test, with one client behind a network that the test can disturb, and another beside it. */
class BehindAProxy {
    RedisServer server;
    TcpProxy network;
    RedisBackend backend;
    RedisBackend other;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        network = TcpProxy.to(server.host(), server.port());
        backend = open("redis://" + network.host() + ":" + network.port());
        other = Claims.open(server.url());
    }

    /** Opens the client behind the network. */
    RedisBackend open(String url) {
        return Claims.open(url);
    }

    @AfterEach
    void stop() {
        backend.close();
        other.close();
        network.close();
        server.close();
    }
}
