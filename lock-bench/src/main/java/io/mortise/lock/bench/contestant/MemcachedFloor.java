// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.CASValue;
import net.spy.memcached.MemcachedClient;

/** An {@code add}; to release it a {@code gets} and a {@code delete} of that version. Has no waiting. */
public final class MemcachedFloor implements Contestant {
    private static final int LEASE_SECONDS = 30;

    private final MemcachedClient client;

    public MemcachedFloor(String host, int port) throws Exception {
        client = new MemcachedClient(new BinaryConnectionFactory(), List.of(new InetSocketAddress(host, port)));
    }

    @Override
    public Held acquire(String lock) throws Exception {
        String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
        if (!client.add(lock, LEASE_SECONDS, owner).get()) {
            throw new IllegalStateException("somebody holds " + lock);
        }
        return () -> {
            CASValue<Object> found = client.gets(lock);
            if (!found.getValue().equals(owner)
                    || !client.delete(lock, found.getCas()).get()) {
                throw new IllegalStateException("somebody else holds " + lock);
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
