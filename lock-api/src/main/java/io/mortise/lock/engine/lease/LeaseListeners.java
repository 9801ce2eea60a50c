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
    private final List<Consumer<Duration>> atRisk = new ArrayList<>(0);
    private final List<Consumer<Loss>> lost = new ArrayList<>(0);
    private @Nullable Runnable hook;
    private boolean atRiskNow;
    private @Nullable Loss loss;

    LeaseListeners(EventDispatcher events, LeaseSchedule time) {
        this.events = events;
        this.time = time;
    }

    void addAtRisk(Consumer<Duration> listener) {
        atRisk.add(listener);
        if (atRiskNow) {
            tellAtRisk(listener);
        }
    }

    void addLost(Consumer<Loss> listener) {
        if (loss == null) {
            lost.add(listener);
        } else {
            tellLost(listener, loss);
        }
    }

    /** Runs something quick at the very moment of the loss. */
    void hook(Runnable quick) {
        if (loss == null) {
            hook = quick;
        } else {
            quick.run();
        }
    }

    void atRisk() {
        atRiskNow = true;
        atRisk.forEach(this::tellAtRisk);
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
        lost.forEach(listener -> tellLost(listener, why));
    }

    private void tellAtRisk(Consumer<Duration> listener) {
        Duration left = time.remaining();
        events.run(() -> listener.accept(left));
    }

    private void tellLost(Consumer<Loss> listener, Loss why) {
        events.run(() -> listener.accept(why));
    }
}
