// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import io.mortise.lock.LockClient;
import java.util.function.IntConsumer;

/** Acquires and releases a lock so many times. Whoever has another class loader load it knows it by types of the JDK. */
public final class CountedLocks implements IntConsumer, AutoCloseable {
    private final LockClient client;

    public CountedLocks(String url) {
        client = LockClient.connect(url);
    }

    @Override
    public void accept(int times) {
        try {
            for (int i = 0; i < times; i++) {
                client.lock("costs").acquire().close();
            }
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
