// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Threads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes each lease when it must be renewed, when it becomes at risk, and when it ends. One thread that does no I/O and
 * runs no user code, so that nothing delays the notice of a loss. The thread ends when nothing is left to wake.
 * Thread-safe.
 */
public final class LeaseTimer {
    private static final Logger LOG = System.getLogger(LeaseTimer.class.getName());
    private static final long LINGER_NANOS = 5_000_000_000L;

    /** When the timer wakes a lease; the number tells alarms of one moment apart. */
    record Alarm(long at, long number, RenewableLease lease) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            long difference = at - other.at;
            return difference == 0 ? Long.compare(number, other.number) : Long.signum(difference);
        }
    }

    private final Ticker ticker;
    private final Consumer<List<RenewableLease>> renewals;
    private final TreeSet<Alarm> alarms = new TreeSet<>();
    private long numbers;
    private @Nullable Thread thread;
    private boolean closed;

    /** Leases that are due for renewal are given to {@code renewals}, all that are due at one moment together. */
    LeaseTimer(Ticker ticker, Consumer<List<RenewableLease>> renewals) {
        this.ticker = ticker;
        this.renewals = renewals;
    }

    synchronized Alarm set(RenewableLease lease, long at) {
        Alarm alarm = new Alarm(at, numbers++, lease);
        alarms.add(alarm);
        if (thread == null && !closed) {
            thread = Threads.start("mortise-timer", this::run);
        } else if (alarms.first().equals(alarm)) {
            LockSupport.unpark(thread);
        }
        return alarm;
    }

    /** Does nothing if the alarm has gone off, or there is none. */
    synchronized void cancel(@Nullable Alarm alarm) {
        if (alarm != null) {
            alarms.remove(alarm);
        }
    }

    public synchronized void close() {
        closed = true;
        alarms.clear();
        LockSupport.unpark(thread);
    }

    private void run() {
        long idleSince = ticker.nanos();
        while (true) {
            List<RenewableLease> due = new ArrayList<>();
            long until;
            synchronized (this) {
                long now = ticker.nanos();
                while (!alarms.isEmpty() && alarms.first().at - now <= 0) {
                    due.add(alarms.pollFirst().lease);
                }
                if (!alarms.isEmpty() || !due.isEmpty()) {
                    idleSince = now;
                }
                until = alarms.isEmpty() ? idleSince + LINGER_NANOS : alarms.first().at;
                if (closed || (due.isEmpty() && alarms.isEmpty() && until - now <= 0)) {
                    thread = null;
                    return;
                }
            }
            if (due.isEmpty()) {
                ticker.parkUntil(this, until);
            } else {
                wake(due);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void wake(List<RenewableLease> due) {
        try {
            due.removeIf(lease -> !lease.wake());
            renewals.accept(due);
        } catch (Throwable failure) {
            // Whatever it was: without this thread no lease is renewed and no loss is told.
            LOG.log(Level.ERROR, "the timer could not wake leases", failure);
        }
    }
}
