// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.RecordingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The clients, claims, threads and routes that a scene has opened. Closes them, and checks what must hold after every case:
 * the history has no fault, every lock can be acquired within a lease, and no thread of a closed client is left. Cases may
 * open from several threads; one thread closes.
 */
public final class SceneResources {
    private static final int NAMES = 5;

    private final Scene scene;
    final List<LockBackend> backends = new CopyOnWriteArrayList<>();
    final List<LockClient> clients = new CopyOnWriteArrayList<>();
    /** All claims that were made, by clients too. */
    final List<RecordingClaim> claims = new CopyOnWriteArrayList<>();
    /** The claims that the case made itself, and must release. */
    final List<RecordingClaim> ownClaims = new CopyOnWriteArrayList<>();

    final List<BackgroundTask<?>> background = new CopyOnWriteArrayList<>();
    final List<Route> routes = new CopyOnWriteArrayList<>();
    final List<AutoCloseable> others = new CopyOnWriteArrayList<>();
    final Set<Thread> threadsBefore = ourThreads();

    private final AtomicBoolean closed = new AtomicBoolean();

    SceneResources(Scene scene) {
        this.scene = scene;
    }

    /** Closes what the case left open, once. Throws nothing but an interrupt. */
    public void close() throws InterruptedException {
        if (closed.getAndSet(true)) {
            return;
        }
        quietly(() -> scene.faults().resumeStore());
        quietly(() -> scene.faults().givePermissionBack());
        routes.forEach(route -> quietly(route.heal()::run));
        for (AutoCloseable other : others) {
            quietly(other::close);
        }
        for (BackgroundTask<?> work : background) {
            work.stop(scene.tolerance());
        }
        for (RecordingClaim claim : ownClaims) {
            if (!claim.isReleased()) {
                quietly(claim::release);
            }
        }
        clients.forEach(client -> quietly(client::close));
    }

    /** Checks what must be so after every case that went well. */
    public void check() throws InterruptedException {
        scene.history().judge();
        for (String lock : names()) {
            RecordingClaim last = scene.claim("end", lock);
            scene.await("a lock that everybody has released is free", limit(last), last::tryAcquire);
            last.release();
        }
        scene.await("no thread of a closed client is left", () -> threadsBefore.containsAll(ourThreads()));
    }

    /** Closes the connections, last of all. Never throws. */
    public void disconnect() {
        backends.forEach(backend -> quietly(backend::close));
        routes.forEach(route -> quietly(route.close()::run));
    }

    /** The threads of open clients, of this scene and of others. */
    private static Set<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mortise-") && thread.isAlive())
                .collect(Collectors.toSet());
    }

    private Set<String> names() {
        return claims.stream()
                .map(claim -> claim.request().lock())
                .distinct()
                .limit(NAMES)
                .collect(Collectors.toSet());
    }

    /** The longest lease that anybody asked for, but not the absurd ones. */
    private Duration limit(RecordingClaim last) {
        Duration longest = claims.stream()
                .map(claim -> claim.request().lease())
                .filter(lease -> lease.compareTo(scene.limit()) < 0)
                .max(Duration::compareTo)
                .orElseGet(last.request()::lease);
        return longest.multipliedBy(2).plusSeconds(1).plus(scene.tolerance());
    }

    private interface Step {
        void run() throws Exception;
    }

    private void quietly(Step step) {
        try {
            step.run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            scene.history().note("suite", "while closing: " + failure);
        }
    }
}
