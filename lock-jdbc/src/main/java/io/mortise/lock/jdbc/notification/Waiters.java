// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The waiting claims of one client, by the key of their lock and by their numbers. Thread-safe. */
final class Waiters {
    private final Map<String, Set<Waiter>> waiters = new ConcurrentHashMap<>();
    private final Map<Long, Waiter> numbered = new ConcurrentHashMap<>();

    void add(Waiter waiter) {
        numbered.put(waiter.number(), waiter);
        waiters.compute(waiter.key(), (name, others) -> {
            Set<Waiter> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(waiter);
            return all;
        });
    }

    void remove(Waiter waiter) {
        numbered.remove(waiter.number());
        waiters.computeIfPresent(waiter.key(), (name, all) -> {
            all.remove(waiter);
            return all.isEmpty() ? null : all;
        });
    }

    int count() {
        return numbered.size();
    }

    Optional<Waiter> find(long number) {
        return Optional.ofNullable(numbered.get(number));
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
