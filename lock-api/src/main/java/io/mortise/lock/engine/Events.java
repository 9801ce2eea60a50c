// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockException;
import io.mortise.lock.LockListener;
import io.mortise.lock.Loss;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Tells listeners what happens, on the workers' threads, so that user code can neither break nor delay locking. Thread-safe. */
final class Events {
    private static final Logger LOG = System.getLogger(Events.class.getName());

    private final List<OrderedListener> listeners;
    private final Executor workers;

    Events(List<LockListener> listeners, Executor workers) {
        this.workers = workers;
        this.listeners = listeners.stream()
                .map(listener -> new OrderedListener(listener, this))
                .toList();
    }

    /**
     * Runs user code soon, in parallel with other user code. Never throws: it is called in the midst of locking. Answers
     * whether it will be run.
     */
    @SuppressWarnings("CatchingUnchecked")
    boolean run(Runnable userCode) {
        try {
            workers.execute(() -> guarded(userCode));
            return true;
        } catch (RejectedExecutionException closed) {
            LOG.log(Level.DEBUG, "an event came after the client was closed");
        } catch (Throwable noThread) {
            LOG.log(Level.WARNING, "a lock listener could not be run", noThread);
        }
        return false;
    }

    @SuppressWarnings("CatchingUnchecked")
    static void guarded(Runnable userCode) {
        try {
            userCode.run();
        } catch (Throwable failure) {
            LOG.log(Level.WARNING, "a lock listener failed", failure);
        }
    }

    void acquired(String lock, long waited) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.acquired(lock, Duration.ofNanos(waited)));
        }
    }

    void timedOut(String lock, long waited) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.timedOut(lock, Duration.ofNanos(waited)));
        }
    }

    void failed(String lock, long waited, LockException failure) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.failed(lock, Duration.ofNanos(waited), failure));
        }
    }

    void renewed(String lock, long late) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.renewed(lock, Duration.ofNanos(Math.max(0, late))));
        }
    }

    void renewalUnanswered(String lock, long left) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.renewalUnanswered(lock, Duration.ofNanos(left)));
        }
    }

    void atRisk(String lock, long left) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.atRisk(lock, Duration.ofNanos(left)));
        }
    }

    void lost(String lock, long held, Loss loss) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.lost(lock, Duration.ofNanos(held), loss));
        }
    }

    void released(String lock, long held) {
        for (OrderedListener listener : listeners) {
            listener.tell(target -> target.released(lock, Duration.ofNanos(held)));
        }
    }
}
