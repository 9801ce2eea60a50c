// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The waiting claims of one client, by the key of their lock. Thread-safe. */
final class Waiters {
    private final Map<String, Set<Waiter>> waiters = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    void add(Waiter waiter) {
        count.incrementAndGet();
        waiters.compute(waiter.key(), (name, others) -> {
            Set<Waiter> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(waiter);
            return all;
        });
    }

    void remove(Waiter waiter) {
        waiters.computeIfPresent(waiter.key(), (name, all) -> {
            if (all.remove(waiter)) {
                count.decrementAndGet();
            }
            return all.isEmpty() ? null : all;
        });
    }

    int count() {
        return count.get();
    }

    /** Lets those who wait for one lock look again. */
    void nudge(String key) {
        waiters.getOrDefault(key, Set.of()).forEach(Waiter::nudge);
    }

    /** Lets everybody look again. */
    void nudgeAll() {
        waiters.values().forEach(all -> all.forEach(Waiter::nudge));
    }
}
