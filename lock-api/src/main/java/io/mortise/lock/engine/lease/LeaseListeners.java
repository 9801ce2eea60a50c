// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Loss;
import io.mortise.lock.engine.local.EventDispatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the listeners of one lease when the lease is at risk and when it is lost. Users' listeners run on the
 * client's threads; the engine's own hook runs at once and must be quick. A listener that is added late is told at
 * once. Guarded by the monitor of its {@link HeldLease}.
 */
final class LeaseListeners {
    private final EventDispatcher events;
    private final LeaseSchedule time;
    private @Nullable List<Consumer<Duration>> atRisk;
    private @Nullable List<Consumer<Loss>> lost;
    private @Nullable Runnable hook;
    private boolean atRiskNow;
    private @Nullable Loss loss;

    LeaseListeners(EventDispatcher events, LeaseSchedule time) {
        this.events = events;
        this.time = time;
    }

    void addAtRisk(Consumer<Duration> listener) {
        atRisk = atRisk == null ? new ArrayList<>(1) : atRisk;
        atRisk.add(listener);
        if (atRiskNow) {
            tellAtRisk(listener);
        }
    }

    void addLost(Consumer<Loss> listener) {
        if (loss != null) {
            Loss why = loss;
            events.run(() -> listener.accept(why));
            return;
        }
        lost = lost == null ? new ArrayList<>(1) : lost;
        lost.add(listener);
    }

    /** Runs something quick at the very moment of the loss. */
    void hook(Runnable quick) {
        if (loss != null) {
            quick.run();
        } else {
            hook = quick;
        }
    }

    void atRisk() {
        atRiskNow = true;
        if (atRisk != null) {
            atRisk.forEach(this::tellAtRisk);
        }
    }

    void noLongerAtRisk() {
        atRiskNow = false;
    }

    void lost(Loss why) {
        atRiskNow = false;
        loss = why;
        if (hook != null) {
            hook.run();
        }
        if (lost != null) {
            lost.forEach(listener -> events.run(() -> listener.accept(why)));
        }
    }

    private void tellAtRisk(Consumer<Duration> listener) {
        Duration left = Duration.ofNanos(Math.max(0, time.left()));
        events.run(() -> listener.accept(left));
    }
}
