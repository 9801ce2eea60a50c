// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackend;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a scene has opened and started, until its {@link Ending} closes it. Thread-safe. */
final class Belongings {
    final List<LockBackend> backends = new CopyOnWriteArrayList<>();
    final List<LockClient> clients = new CopyOnWriteArrayList<>();
    /** All claims that were made, by clients too. */
    final List<RecordingClaim> claims = new CopyOnWriteArrayList<>();
    /** The claims that the case made itself, and must release. */
    final List<RecordingClaim> ownClaims = new CopyOnWriteArrayList<>();

    final List<Background<?>> background = new CopyOnWriteArrayList<>();
    final List<Route> routes = new CopyOnWriteArrayList<>();
    final List<AutoCloseable> others = new CopyOnWriteArrayList<>();
    final Set<Thread> threadsBefore = Ending.ourThreads();
}
