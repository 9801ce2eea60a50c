// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.concurrent.locks.Lock;

/** A way to lock, as one process uses it. Thread-safe. */
public interface Contestant extends AutoCloseable {
    /**
     * Acquires a lock, however long it takes.
     *
     * @return what releases it, on the same thread
     */
    Held acquire(String lock) throws Exception;

    @Override
    default void close() throws Exception {}

    /** A lock that is held. */
    interface Held {
        void release() throws Exception;
    }

    /** Acquires a lock of {@code java.util.concurrent}. */
    static Held lock(Lock lock) {
        lock.lock();
        return lock::unlock;
    }

    /** Opens one for a store. */
    interface Opener {
        Contestant open(String store) throws Exception;
    }
}
