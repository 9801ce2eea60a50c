// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.util.Set;

/**
 * Opens {@code redis://user:password@host:port/database}, {@code redis+sentinel://host1,host2/master/database} and
 * {@code redis+cluster://host1,host2}; with {@code rediss} instead of {@code redis}, over TLS. Options: {@code prefix},
 * {@code replicas} and {@code replicaTimeout} as in {@link RedisBackendBuilder}; {@code timeout} for connecting and for a
 * reply, one second unless given; {@code connections}, at most 64 unless given; {@code role=any} for a server that may be a
 * replica when it is opened; {@code sentinelUser} and {@code sentinelPassword}; {@code format=redisson} for locks that clients of
 * Redisson share, in one server or a Sentinel set. Thread-safe.
 */
public final class RedisBackendProvider implements LockBackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster");
    }

    @Override
    public Set<String> options() {
        return RedisUrl.OPTIONS;
    }

    /**
     * Opens a client of Redis. Asks the server for its settings, and if it does not answer, whether it wants TLS or does not know it;
     * a server that is down is no error. Blocks for a few seconds at most.
     *
     * @throws io.mortise.lock.LockConfigurationException if the URL cannot be understood, or as {@link RedisBackendBuilder#build}
     */
    @Override
    public LockBackend open(StoreUrl url) {
        return new RedisUrl(url).open();
    }
}
