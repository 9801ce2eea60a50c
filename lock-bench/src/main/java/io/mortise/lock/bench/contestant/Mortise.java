// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;

/** Ours, over a URL, as an application uses it. */
public final class Mortise implements Contestant {
    private final LockClient client;
    private final LockOptions options;

    public Mortise(String url, LockOptions options) {
        this.client = LockClient.connect(url);
        this.options = options;
    }

    @Override
    public Held acquire(String lock) throws Exception {
        return client.lock(lock, options).acquire()::close;
    }

    @Override
    public void close() {
        client.close();
    }
}
