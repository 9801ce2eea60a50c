// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.DeleteWatch;
import io.mortise.lock.etcd.gateway.Gateway;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Nudges the claim whose predecessor's key was deleted, and all that wait when a deletion may have been missed. If the deletion of a
 * key concerns a claim of another client, nudges a little later the first of those that wait in that queue, which then sees whether
 * that claim took the lock. Thread-safe.
 */
public final class Waiters implements AutoCloseable {
    /** A claim that waits, and in which revision its key was made. */
    private record Waiter(long created, Runnable nudge) {}

    private final DeleteWatch watch;
    private final Map<String, List<Waiter>> byPredecessor = new HashMap<>();
    private final Set<String> looksLater = new HashSet<>();

    /** Watches nothing before somebody waits. */
    public Waiters(Gateway gateway, LockKeys keys) {
        watch = new DeleteWatch(gateway, keys.locks(""), this::deleted, this::nudgeAll);
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

    private void deleted(String key) {
        String queue = LockKeys.queueOf(key);
        List<Waiter> waiting;
        synchronized (this) {
            waiting = byPredecessor.remove(key);
            boolean isOfAnother = waiting == null && first(queue).isPresent() && looksLater.add(queue);
            if (isOfAnother) {
                CompletableFuture.delayedExecutor(IdleHead.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> lookLater(queue));
            }
        }
        if (waiting != null) {
            waiting.forEach(waiter -> waiter.nudge().run());
        }
    }

    private void lookLater(String queue) {
        Optional<Waiter> first;
        synchronized (this) {
            looksLater.remove(queue);
            first = first(queue);
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
