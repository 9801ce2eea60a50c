// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's {@code InterProcessMutex}, one for each lock, which threads share. */
public final class CuratorLocks implements Contestant {
    private final CuratorFramework client;
    private final Map<String, InterProcessMutex> locks = new ConcurrentHashMap<>();

    public CuratorLocks(String connectString) {
        client = CuratorFrameworkFactory.newClient(connectString, new ExponentialBackoffRetry(100, 5));
        client.start();
    }

    @Override
    public Held acquire(String lock) throws Exception {
        InterProcessMutex held = locks.computeIfAbsent(lock, name -> new InterProcessMutex(client, "/curator/" + name));
        held.acquire();
        return held::release;
    }

    @Override
    public void close() {
        client.close();
    }
}
