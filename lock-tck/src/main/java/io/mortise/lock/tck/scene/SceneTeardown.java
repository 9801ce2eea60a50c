// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.tck.history.RecordingClaim;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Closes everything that a scene has opened, and checks what must hold after every case: the history has no fault, every lock
 * can be acquired within a lease, and no thread of a closed client is left.
 */
public final class SceneTeardown {
    private static final int NAMES = 5;

    private final Scene scene;
    private final SceneResources resources;
    private boolean closed;

    /**
     * Closes nothing yet.
     *
     * @param scene whose end it is
     */
    public SceneTeardown(Scene scene) {
        this.scene = scene;
        resources = scene.resources();
    }

    /**
     * Closes what the case left open, once.
     *
     * @throws InterruptedException if this thread is interrupted meanwhile; nothing else is thrown
     */
    public void close() throws InterruptedException {
        if (closed) {
            return;
        }
        closed = true;
        quietly(() -> scene.faults().resumeStore());
        resources.routes.forEach(route -> quietly(route.heal()::run));
        for (AutoCloseable other : resources.others) {
            quietly(other::close);
        }
        for (BackgroundTask<?> work : resources.background) {
            work.stop(scene.tolerance());
        }
        for (RecordingClaim claim : resources.ownClaims) {
            if (!claim.isReleased()) {
                quietly(claim::release);
            }
        }
        resources.clients.forEach(client -> quietly(client::close));
    }

    /**
     * Checks what must be so after every case that went well.
     *
     * @throws InterruptedException if the case is cancelled
     */
    public void check() throws InterruptedException {
        scene.history().judge();
        for (String lock : names()) {
            RecordingClaim last = scene.claim("end", lock);
            scene.await("a lock that everybody has released is free", limit(last), last::tryAcquire);
            last.release();
        }
        scene.await(
                "no thread of a closed client is left",
                () -> resources.threadsBefore.containsAll(SceneResources.ourThreads()));
    }

    /** Closes the connections, last of all. Never throws. */
    public void disconnect() {
        resources.backends.forEach(backend -> quietly(backend::close));
        resources.routes.forEach(route -> quietly(route.close()::run));
    }

    private Set<String> names() {
        return resources.claims.stream()
                .map(claim -> claim.request().lock())
                .distinct()
                .limit(NAMES)
                .collect(Collectors.toSet());
    }

    /** The longest lease that anybody asked for, but not the absurd ones. */
    private Duration limit(RecordingClaim last) {
        Supplier<Duration> own = last.request()::lease;
        Duration longest = resources.claims.stream()
                .map(claim -> claim.request().lease())
                .filter(lease -> lease.compareTo(scene.limit()) < 0)
                .max(Duration::compareTo)
                .orElseGet(own);
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
