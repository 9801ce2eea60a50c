// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import io.mortise.lock.LockListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of a client's locks to the client's {@link LockListener}s. Listeners run on the workers'
 * threads, so that user code can neither break nor delay locking. Thread-safe.
 */
public final class EventDispatcher {
    private static final Logger LOG = System.getLogger(EventDispatcher.class.getName());

    private final List<OrderedListener> listeners;
    private final Executor workers;

    public EventDispatcher(List<LockListener> listeners, Executor workers) {
        this.workers = workers;
        this.listeners = listeners.stream().map(OrderedListener::new).toList();
    }

    /**
     * Runs user code soon, in parallel with other user code. Never throws: it is called in the midst of locking. Returns
     * whether it will be run.
     */
    public boolean run(Runnable userCode) {
        return Threads.tryRun(workers, () -> guarded(userCode), "run a lock listener");
    }

    /** Runs user code now; logs what it throws. */
    @SuppressWarnings("CatchingUnchecked")
    public static void guarded(Runnable userCode) {
        try {
            userCode.run();
        } catch (Throwable failure) {
            LOG.log(Level.WARNING, "a lock listener failed", failure);
        }
    }

    /** Tells each listener of an event, soon. What the event is told with must be known by now. Never throws. */
    public void tell(Consumer<LockListener> event) {
        for (OrderedListener listener : listeners) {
            listener.tell(event);
        }
    }

    /** Gives one listener its events one at a time, in order; drops them when it falls too far behind. */
    private final class OrderedListener {
        private final LockListener target;
        private final Deque<Consumer<LockListener>> backlog = new ArrayDeque<>();
        private boolean running;
        private boolean dropping;

        private OrderedListener(LockListener target) {
            this.target = target;
        }

        private void tell(Consumer<LockListener> event) {
            synchronized (this) {
                if (backlog.size() >= LockListener.BACKLOG) {
                    if (!dropping) {
                        LOG.log(
                                Level.WARNING,
                                "{0} is too slow: lock events are dropped",
                                target.getClass().getName());
                    }
                    dropping = true;
                    return;
                }
                backlog.add(event);
                if (running) {
                    return;
                }
                running = true;
            }
            if (!run(this::drain)) {
                // With the next event, then.
                synchronized (this) {
                    running = false;
                }
            }
        }

        private void drain() {
            for (Consumer<LockListener> event = next(); event != null; event = next()) {
                Consumer<LockListener> current = event;
                guarded(() -> current.accept(target));
            }
        }

        private synchronized @Nullable Consumer<LockListener> next() {
            Consumer<LockListener> event = backlog.poll();
            running = event != null;
            dropping &= running;
            return event;
        }
    }
}
