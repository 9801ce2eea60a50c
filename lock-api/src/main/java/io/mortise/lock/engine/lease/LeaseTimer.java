// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.DeadlineHeap;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes each lease when it must be renewed, when it becomes at risk, and when it ends, and each waiting future when it must look
 * again. One thread that does no I/O and runs no user code, so that nothing delays the notice of a loss. The thread
 * ends when nothing is left to wake. Thread-safe.
 *
 * <p>The monotonic clock stands still while the host is suspended. So the thread looks at the wall clock every second, and lets
 * all alarms go off when that has run ahead: leases that ended meanwhile are lost within a second.
 *
 * <p>Alarms are registered before what they wake begins: from then on setting one allocates nothing, and whatever an alarm throws,
 * the thread goes on and the alarm goes off again.
 */
public final class LeaseTimer {
    private static final Logger LOG = System.getLogger(LeaseTimer.class.getName());
    private static final long LINGER_NANOS = 5_000_000_000L;
    private static final long RETRY_NANOS = 20_000_000L;
    private static final long LOOK_NANOS = 1_000_000_000L;

    /** What the timer wakes at a moment. */
    public abstract static class Alarm extends DeadlineHeap.Entry {
        private boolean registered;
        private boolean setSince;

        /** Goes off once for each time that it was set. Quick; must not block. */
        protected abstract void goOff();
    }

    private final Environment environment;
    private final Ticker ticker;
    /** Starts what goes on after alarms went off; false if it could not, and is to be tried again soon. */
    private final BooleanSupplier afterAlarms;

    private final DeadlineHeap<Alarm> alarms = new DeadlineHeap<>();
    /** The alarm that went off last: it keeps its place until it is set anew, as most are at once, or until the next one goes off. */
    private @Nullable Alarm wentOff;

    private int registered;
    private long idleSince;
    private @Nullable Thread thread;
    private boolean parked;
    private long parkedUntil;
    private boolean closed;
    /** When the thread looked at both clocks last. */
    private long lookedNanos;

    private long lookedWallMillis;

    LeaseTimer(Environment environment, Ticker ticker, BooleanSupplier afterAlarms) {
        this.environment = environment;
        this.ticker = ticker;
        this.afterAlarms = afterAlarms;
        this.lookedNanos = ticker.nanos();
        this.lookedWallMillis = ticker.wallMillis();
    }

    /**
     * Makes room for an alarm, and a thread to wake it.
     *
     * @throws Error if there is no memory or no thread; nothing is registered then
     */
    public synchronized void register(Alarm alarm) {
        if (closed || alarm.registered) {
            return;
        }
        alarms.reserve(registered + 1);
        if (thread == null) {
            thread = environment.start("mortise-timer", this::run);
        }
        alarm.registered = true;
        registered++;
    }

    /** Cancels an alarm for good. Idempotent. */
    public synchronized void unregister(Alarm alarm) {
        alarms.remove(alarm);
        if (alarm.registered) {
            alarm.registered = false;
            registered--;
        }
    }

    /** Whether no alarm is registered. */
    public synchronized boolean isIdle() {
        return registered == 0;
    }

    /** Sets a registered alarm, or sets it anew; does nothing for one that is not registered. */
    public synchronized void set(Alarm alarm, long at) {
        if (alarm.registered && !closed) {
            alarm.setSince = true;
            alarms.put(alarm, at);
            if (parked && at - parkedUntil < 0) {
                environment.unpark(thread);
            }
        }
    }

    /** Lets what could not be started for want of a thread be started again soon. False if there is no timer to do it. Never throws. */
    @SuppressWarnings("CatchingUnchecked")
    synchronized boolean startAgainSoon() {
        if (thread == null && !closed) {
            try {
                thread = environment.start("mortise-timer", this::run);
            } catch (Throwable noThread) {
                // With the next lease, then.
            }
        }
        idleSince = ticker.nanos();
        environment.unpark(thread);
        return thread != null && !closed;
    }

    public synchronized void close() {
        closed = true;
        alarms.clear();
        environment.unpark(thread);
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = turn();
            } catch (Throwable failure) {
                // Whatever it was: without this thread no lease is renewed and no loss is told.
                environment.pause(this, RETRY_NANOS);
            }
        }
    }

    /** Lets all alarms go off whose time has come, and waits for the next. False if the thread is to end. */
    private boolean turn() {
        boolean went = false;
        heedSuspension();
        for (Alarm due = nextDue(); due != null; due = nextDue()) {
            goOff(due);
            went = true;
        }
        boolean allStarted = afterAlarms.getAsBoolean();
        long until;
        synchronized (this) {
            long now = ticker.nanos();
            if (went || registered > 0 || !allStarted) {
                idleSince = now;
            }
            long end = idleSince + LINGER_NANOS;
            if (closed || end - now <= 0) {
                thread = null;
                return false;
            }
            Alarm first = alarms.first();
            until = first == null ? end : alarms.firstMoment();
            if (registered > 0 && now + LOOK_NANOS - until < 0) {
                until = now + LOOK_NANOS;
            }
            if (!allStarted && now + RETRY_NANOS - until < 0) {
                until = now + RETRY_NANOS;
            }
            parked = true;
            parkedUntil = until;
        }
        ticker.parkUntil(this, until);
        return true;
    }

    private synchronized void heedSuspension() {
        long now = ticker.nanos();
        long wallMillis = ticker.wallMillis();
        long sinceLook = now - lookedNanos;
        if (Moment.elapsed(sinceLook, wallMillis - lookedWallMillis) > sinceLook) {
            alarms.putAll(now);
        }
        lookedNanos = now;
        lookedWallMillis = wallMillis;
    }

    private synchronized @Nullable Alarm nextDue() {
        parked = false;
        if (wentOff != null && !wentOff.setSince) {
            alarms.remove(wentOff);
        }
        wentOff = null;
        Alarm first = alarms.first();
        if (first == null || alarms.firstMoment() - ticker.nanos() > 0) {
            return null;
        }
        first.setSince = false;
        wentOff = first;
        return first;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void goOff(Alarm due) {
        try {
            due.goOff();
        } catch (Throwable failure) {
            set(due, ticker.nanos() + RETRY_NANOS);
            LOG.log(Level.ERROR, "an alarm of the lock client failed, and goes off again soon", failure);
        }
    }
}
