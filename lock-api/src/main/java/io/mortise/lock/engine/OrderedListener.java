// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives one listener its events one at a time, in order; drops them when it falls too far behind. Thread-safe. */
final class OrderedListener {
    private static final Logger LOG = System.getLogger(OrderedListener.class.getName());

    private final LockListener target;
    private final Events events;
    private final Deque<Consumer<LockListener>> backlog = new ArrayDeque<>();
    private boolean running;
    private boolean dropping;

    OrderedListener(LockListener target, Events events) {
        this.target = target;
        this.events = events;
    }

    void tell(Consumer<LockListener> event) {
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
        if (!events.run(this::drain)) {
            // With the next event, then.
            synchronized (this) {
                running = false;
            }
        }
    }

    private void drain() {
        for (Consumer<LockListener> event = next(); event != null; event = next()) {
            Consumer<LockListener> current = event;
            Events.guarded(() -> current.accept(target));
        }
    }

    private synchronized @Nullable Consumer<LockListener> next() {
        Consumer<LockListener> event = backlog.poll();
        running = event != null;
        dropping &= running;
        return event;
    }
}
