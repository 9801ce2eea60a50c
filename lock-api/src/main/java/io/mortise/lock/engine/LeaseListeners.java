// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to know what becomes of one lease. Users' listeners run on the client's threads; hooks of the engine's own run
 * at once and must be quick. Guarded by the monitor of its {@link Hold}, which costs nothing while nobody listens.
 */
final class LeaseListeners {
    private final Events events;
    private @Nullable List<Consumer<Duration>> atRisk;
    private @Nullable List<Consumer<Loss>> lost;
    private @Nullable Runnable hook;

    LeaseListeners(Events events) {
        this.events = events;
    }

    void addAtRisk(Consumer<Duration> listener) {
        atRisk = atRisk == null ? new ArrayList<>(1) : atRisk;
        atRisk.add(listener);
    }

    void addLost(Consumer<Loss> listener) {
        lost = lost == null ? new ArrayList<>(1) : lost;
        lost.add(listener);
    }

    void hook(Runnable quick) {
        hook = quick;
    }

    void atRisk(long nanosLeft) {
        if (atRisk != null) {
            Duration left = Duration.ofNanos(nanosLeft);
            atRisk.forEach(listener -> events.run(() -> listener.accept(left)));
        }
    }

    void lost(Loss loss) {
        if (hook != null) {
            hook.run();
        }
        if (lost != null) {
            lost.forEach(listener -> events.run(() -> listener.accept(loss)));
        }
    }
}
