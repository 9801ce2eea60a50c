// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.KeyWatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Nudges the claim whose predecessor's key was deleted, and all that wait when a deletion may have been missed. If nobody is heard to
 * take a lock that was freed for a claim of another client, nudges the first of those that wait in that queue, which then sees who
 * leaves the lock alone. Thread-safe.
 */
public final class Waiters implements AutoCloseable {
    /** A claim that waits, and in which revision its key was made. */
    private record Waiter(long created, Runnable nudge) {}

    private final KeyWatch watch;
    private final Map<String, List<Waiter>> byPredecessor = new HashMap<>();

    /** The queues of locks that were freed, of which nobody was heard yet to take one; each with a mark of its own. */
    private final Map<String, Object> freed = new HashMap<>();

    /** Watches nothing before somebody waits. */
    public Waiters(Gateway gateway, LockKeys keys) {
        watch = new KeyWatch(gateway, keys.locks(""), this::changed, this::nudgeAll);
    }

    /** Nudges when a key is deleted. Who has called this must look once more whether it is still there. */
    void waitFor(String key, long created, Runnable nudge) {
        watch.start();
        synchronized (this) {
            byPredecessor.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(new Waiter(created, nudge));
        }
    }

    /** Whether the nudge is still to come. */
    synchronized boolean isWaiting(String key, Runnable nudge) {
        return byPredecessor.getOrDefault(key, List.of()).stream().anyMatch(waiter -> waiter.nudge() == nudge);
    }

    synchronized void waitNoMore(String key, Runnable nudge) {
        List<Waiter> waiting = byPredecessor.get(key);
        if (waiting != null && waiting.removeIf(waiter -> waiter.nudge() == nudge) && waiting.isEmpty()) {
            byPredecessor.remove(key);
        }
    }

    private void changed(KeyWatch.Change change) {
        String queue = LockKeys.queueOf(change.key());
        boolean granted = Entry.read(change.value()).granted();
        if (change.deleted()) {
            deleted(change.key(), queue, granted);
        } else if (granted) {
            synchronized (this) {
                freed.remove(queue);
            }
        }
    }

    private void deleted(String key, String queue, boolean held) {
        Object mark = new Object();
        List<Waiter> waiting;
        boolean lookLater;
        synchronized (this) {
            waiting = byPredecessor.remove(key);
            lookLater = waiting == null && held && first(queue).isPresent();
            if (lookLater) {
                freed.put(queue, mark);
            }
        }
        if (waiting != null) {
            waiting.forEach(waiter -> waiter.nudge().run());
        }
        if (lookLater) {
            CompletableFuture.delayedExecutor(IdleHead.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> lookUnlessTaken(queue, mark));
        }
    }

    private void lookUnlessTaken(String queue, Object mark) {
        Optional<Waiter> first;
        synchronized (this) {
            first = freed.remove(queue, mark) ? first(queue) : Optional.empty();
        }
        first.ifPresent(waiter -> waiter.nudge().run());
    }

    private Optional<Waiter> first(String queue) {
        return byPredecessor.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(queue))
                .flatMap(entry -> entry.getValue().stream())
                .min(Comparator.comparingLong(Waiter::created));
    }

    private void nudgeAll() {
        List<Waiter> all = new ArrayList<>();
        synchronized (this) {
            byPredecessor.values().forEach(all::addAll);
        }
        all.forEach(waiter -> waiter.nudge().run());
    }

    @Override
    public void close() {
        watch.close();
    }
}
