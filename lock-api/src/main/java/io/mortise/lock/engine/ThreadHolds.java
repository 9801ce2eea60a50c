// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.engine.lease.LeaseHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Records which thread holds which lock, with which lease, and how often it has entered. Thread-safe. */
final class ThreadHolds {
    private record Key(String name, Thread thread) {}

    /** The lease of one thread in one lock. Only that thread touches it. */
    static final class Inside {
        final LeaseHandle lease;
        int count = 1;

        private Inside(LeaseHandle lease) {
            this.lease = lease;
        }
    }

    private final Map<Key, Inside> inside = new ConcurrentHashMap<>();

    @Nullable
    Inside current(String name) {
        return inside.get(new Key(name, Thread.currentThread()));
    }

    /** Enters the calling thread. If it ends without leaving, its lease is not renewed any more. */
    void enter(String name, LeaseHandle lease) {
        Thread thread = Thread.currentThread();
        Key key = new Key(name, thread);
        inside.put(key, new Inside(lease));
        lease.held().abandonedWhen(() -> !thread.isAlive() && inside.remove(key) != null);
    }

    void leave(String name) {
        inside.remove(new Key(name, Thread.currentThread()));
    }
}
