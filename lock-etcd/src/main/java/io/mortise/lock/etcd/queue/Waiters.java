// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.DeleteWatch;
import io.mortise.lock.etcd.gateway.Gateway;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Nudges the claim whose predecessor's key was deleted, and all that wait when a deletion may have been missed. Thread-safe. */
public final class Waiters implements AutoCloseable {
    private final DeleteWatch watch;
    private final Map<String, Set<Runnable>> nudges = new HashMap<>();

    /** Watches nothing before somebody waits. */
    public Waiters(Gateway gateway, LockKeys keys) {
        watch = new DeleteWatch(gateway, keys.locks(""), this::deleted, this::nudgeAll);
    }

    /** Nudges when a key is deleted. Who has called this must look once more whether it is still there. */
    void waitFor(String key, Runnable nudge) {
        watch.start();
        synchronized (this) {
            nudges.computeIfAbsent(key, unused -> ConcurrentHashMap.newKeySet()).add(nudge);
        }
    }

    /** Whether the nudge is still to come. */
    synchronized boolean isWaiting(String key, Runnable nudge) {
        return nudges.getOrDefault(key, Set.of()).contains(nudge);
    }

    synchronized void waitNoMore(String key, Runnable nudge) {
        Set<Runnable> waiting = nudges.get(key);
        if (waiting != null && waiting.remove(nudge) && waiting.isEmpty()) {
            nudges.remove(key);
        }
    }

    private void deleted(String key) {
        Set<Runnable> waiting;
        synchronized (this) {
            waiting = nudges.remove(key);
        }
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    private void nudgeAll() {
        List<Runnable> all = new ArrayList<>();
        synchronized (this) {
            nudges.values().forEach(all::addAll);
        }
        all.forEach(Runnable::run);
    }

    @Override
    public void close() {
        watch.close();
    }
}
