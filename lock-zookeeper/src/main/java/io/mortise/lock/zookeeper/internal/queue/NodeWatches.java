// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Nudges waiters when a znode that they watch is deleted. One watcher for the whole client: however often waiters come
 * and go, ZooKeeper keeps it once for each node. Thread-safe.
 */
public final class NodeWatches implements Watcher {
    private final Map<String, Set<Runnable>> nudges = new HashMap<>();

    /** Asks for a nudge, before the node is asked to be watched. */
    synchronized void add(String path, Runnable nudge) {
        nudges.computeIfAbsent(path, unused -> new HashSet<>()).add(nudge);
    }

    /** Whether the nudge is still to come. */
    synchronized boolean has(String path, Runnable nudge) {
        return nudges.getOrDefault(path, Set.of()).contains(nudge);
    }

    /** Takes the request for a nudge back. */
    synchronized void remove(String path, Runnable nudge) {
        Set<Runnable> waiters = nudges.get(path);
        if (waiters != null && waiters.remove(nudge) && waiters.isEmpty()) {
            nudges.remove(path);
        }
    }

    /** Nudges all: the session may be another one, and then all watches are gone. */
    public void nudgeAll() {
        List<Runnable> all;
        synchronized (this) {
            all = nudges.values().stream().flatMap(Set::stream).toList();
            nudges.clear();
        }
        all.forEach(Runnable::run);
    }

    /** On ZooKeeper's event thread. What happens to the connection is no reason to look: watches survive it. */
    @Override
    public void process(WatchedEvent event) {
        if (event.getType() == Event.EventType.None || event.getPath() == null) {
            return;
        }
        Set<Runnable> waiters;
        synchronized (this) {
            waiters = nudges.remove(event.getPath());
        }
        if (waiters != null) {
            waiters.forEach(Runnable::run);
        }
    }
}
