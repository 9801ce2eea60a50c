// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.RecordingClaim;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The clients, claims, threads and routes that a scene has opened, for its teardown. Thread-safe. */
final class SceneResources {
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

    /** The threads of open clients, of this scene and of others. */
    static Set<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mortise-") && thread.isAlive())
                .collect(Collectors.toSet());
    }
}
