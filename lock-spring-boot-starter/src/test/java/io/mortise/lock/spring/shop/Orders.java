// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.shop;

import io.mortise.lock.spring.CurrentLease;
import io.mortise.lock.spring.Locked;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/** Pays orders, each under a lock of its own. */
@Service
class Orders {
    /** Of all applications in this JVM: adding to a number in it is two steps, and the lock alone keeps others from between them. */
    static final Map<String, Integer> PAID = new ConcurrentHashMap<>();

    private final Ledger ledger = (id, token) -> {
        int before = PAID.getOrDefault(id, 0);
        Thread.yield();
        PAID.put(id, before + 1);
    };

    /** Where payments are written down. */
    interface Ledger {
        void write(String id, long token);
    }

    @Locked(name = "orders/#{#id}", maxWait = "20s")
    public void pay(String id) {
        ledger.write(id, CurrentLease.get().fencingToken());
    }
}
