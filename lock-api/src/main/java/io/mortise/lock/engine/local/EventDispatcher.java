// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs users' listeners on a few of the client's threads, so that user code can neither break nor delay locking. Thread-safe.
 */
public final class EventDispatcher {
    /** How many listeners run at once: one that blocks must not keep the others from being told. */
    private static final int MOST_WORKERS = 8;

    private static final Logger LOG = System.getLogger(EventDispatcher.class.getName());

    private final List<OrderedListener> listeners;
    private final WorkQueue work;

    public EventDispatcher(List<LockListener> listeners, Executor workers) {
        this.work = new WorkQueue(workers, MOST_WORKERS, "a lock listener");
        this.listeners = listeners.stream().map(OrderedListener::new).toList();
    }

    /** A call or a lease that events are about. */
    public interface Subject {
        /** It as it is now. */
        LockEvent event();
    }

    /** Runs user code soon, in parallel with other user code. Never throws: it is called in the midst of locking. */
    public void run(WorkQueue.Task task) {
        work.run(task);
    }

    /** As {@link WorkQueue#whenNoThread}. */
    public void whenNoThread(BooleanSupplier tryAgainSoon) {
        work.whenNoThread(tryAgainSoon);
    }

    /** Starts a thread if something waits for one. False if there was none to be had: then to be called again soon. */
    public boolean start() {
        return work.start();
    }

    /**
     * Tells each listener of an event, soon. Never throws: an event that cannot be told because no memory is left is
     * dropped.
     */
    @SuppressWarnings("CatchingUnchecked")
    public void tell(Subject subject, BiConsumer<LockListener, LockEvent> what) {
        if (listeners.isEmpty()) {
            return;
        }
        try {
            LockEvent event = subject.event();
            for (int i = 0; i < listeners.size(); i++) {
                listeners.get(i).tell(listener -> what.accept(listener, event));
            }
        } catch (Throwable noMemory) {
            // Events are for people and metrics; locking goes on.
        }
    }

    /** Gives one listener its events one at a time, in order; drops them when it falls too far behind. */
    private final class OrderedListener extends WorkQueue.Task {
        private final LockListener target;
        /** Unlike an {@link java.util.ArrayDeque}, keeps its elements if there is no memory for one more. */
        private final Queue<Consumer<LockListener>> backlog = new LinkedBlockingQueue<>();

        /** On a thread of its own: a logger that blocks must not hold up locking. */
        private final WorkQueue.Task warning = new WorkQueue.Task() {
            @Override
            protected void run() {
                LOG.log(
                        Level.WARNING,
                        "{0} is too slow: lock events are dropped",
                        target.getClass().getName());
            }
        };

        private boolean active;
        private boolean dropping;

        private OrderedListener(LockListener target) {
            this.target = target;
        }

        private void tell(Consumer<LockListener> event) {
            synchronized (this) {
                if (backlog.size() >= LockListener.BACKLOG) {
                    if (!dropping) {
                        dropping = true;
                        work.run(warning);
                    }
                    return;
                }
                backlog.add(event);
                if (active) {
                    return;
                }
                active = true;
            }
            work.run(this);
        }

        /** Tells of one event, and goes to the end of the line if there are more. */
        @Override
        protected void run() {
            try {
                Consumer<LockListener> event = next();
                if (event != null) {
                    event.accept(target);
                }
            } finally {
                if (goesOn()) {
                    work.run(this);
                }
            }
        }

        private synchronized @Nullable Consumer<LockListener> next() {
            Consumer<LockListener> event = backlog.poll();
            dropping &= !backlog.isEmpty();
            return event;
        }

        private synchronized boolean goesOn() {
            active = !backlog.isEmpty();
            return active;
        }
    }
}
