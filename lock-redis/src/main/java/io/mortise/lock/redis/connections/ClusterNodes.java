// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.Map;
import redis.clients.jedis.ConnectionPool;

/** The servers of a Redis Cluster as the client library knows them. Thread-safe. */
public interface ClusterNodes {
    /** The connections to each server, by {@code HOST:PORT}. */
    Map<String, ConnectionPool> pools();

    /** Asks a server for the servers; blocks meanwhile. */
    void refresh();
}
