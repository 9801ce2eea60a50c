// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0
package io.mortise.lock.engine;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.LockBackend;

/** Everything that one client has: its backend, settings, threads and leases. Thread-safe. */
public final class Engine {
    private final LockBackend backend;
    private final Settings settings;

    /**
     * Starts nothing yet: threads come with the first lease.
     *
     * @param backend the store
     * @param settings what the client was built with
     */
    public Engine(LockBackend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
    }

    /** The handle of a name. */
    public DistributedLock lock(String name, LockOptions options) {
        throw new UnsupportedOperationException(name + options);
    }

    /** The options of locks that have none of their own. */
    public LockOptions options() {
        return settings.options();
    }

    /** The store. */
    public LockBackend backend() {
        return backend;
    }

    /** Looking at the store's locks. */
    public Admin admin() {
        return new Admin();
    }

    /** Ends everything. */
    public void close() {
        backend.close();
    }
}
