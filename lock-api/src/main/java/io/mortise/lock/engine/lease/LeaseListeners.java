// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Lease;
import io.mortise.lock.Loss;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the listeners of one lease when the lease is at risk, revoked or lost. Users' listeners run on the client's threads; the
 * engine's own hook runs at once and must be quick. A listener that is added late is told at once. What it takes to tell of a
 * loss is made when a listener is added. Guarded by the monitor of its {@link HeldLease}.
 */
final class LeaseListeners {
    private static final long RETRY_NANOS = 20_000_000;

    private final Environment environment;
    private final EventDispatcher events;
    private final Supplier<Lease> handle;
    private final Supplier<Duration> remaining;
    private final List<Notice<Duration>> atRisk = new ArrayList<>(0);
    private final List<Notice<String>> revoked = new ArrayList<>(0);
    private final List<Notice<Loss>> lost = new ArrayList<>(0);
    private @Nullable Runnable hook;
    private boolean isAtRisk;
    private @Nullable String revocation;
    private @Nullable Loss loss;

    /**
     * No listeners yet.
     *
     * @param handle makes what listeners are given as the lease
     * @param remaining how long the lease still lasts
     */
    LeaseListeners(
            Environment environment, EventDispatcher events, Supplier<Lease> handle, Supplier<Duration> remaining) {
        this.environment = environment;
        this.remaining = remaining;
        this.events = events;
        this.handle = handle;
    }

    /** One listener, and what it is told next. */
    private final class Notice<T> extends WorkQueue.Task {
        private final BiConsumer<Lease, T> listener;
        private volatile @Nullable T content;

        private Notice(BiConsumer<Lease, T> listener) {
            this.listener = listener;
        }

        private void send(T what) {
            content = what;
            events.run(this);
        }

        @Override
        protected void run() {
            T told = content;
            if (told != null) {
                listener.accept(lease(), told);
            }
        }

        /** Without memory for a handle the listener waits until there is some: it must be called once. */
        private Lease lease() {
            while (true) {
                try {
                    return handle.get();
                } catch (OutOfMemoryError noMemory) {
                    environment.pause(this, RETRY_NANOS);
                }
            }
        }
    }

    void addAtRisk(BiConsumer<Lease, Duration> listener) {
        Notice<Duration> notice = new Notice<>(listener);
        atRisk.add(notice);
        if (isAtRisk) {
            notice.send(remaining.get());
        }
    }

    void addRevoked(BiConsumer<Lease, String> listener) {
        Notice<String> notice = new Notice<>(listener);
        revoked.add(notice);
        if (revocation != null) {
            notice.send(revocation);
        }
    }

    void addLost(BiConsumer<Lease, Loss> listener) {
        Notice<Loss> notice = new Notice<>(listener);
        if (loss == null) {
            lost.add(notice);
        } else {
            notice.send(loss);
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

    /** Whether somebody wants to end by itself when the lock is revoked. */
    boolean hearRevocation() {
        return !revoked.isEmpty();
    }

    void atRisk(Duration left) {
        isAtRisk = true;
        send(atRisk, left);
    }

    void noLongerAtRisk() {
        isAtRisk = false;
    }

    void revoked(String reason) {
        revocation = reason;
        send(revoked, reason);
    }

    void lost(Loss why) {
        isAtRisk = false;
        loss = why;
        if (hook != null) {
            hook.run();
        }
        send(lost, why);
    }

    private static <T> void send(List<Notice<T>> notices, T what) {
        for (int i = 0; i < notices.size(); i++) {
            notices.get(i).send(what);
        }
    }
}
