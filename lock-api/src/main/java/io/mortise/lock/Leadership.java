// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one of several processes at a duty, such as a scheduler or a consumer: each starts one of these for the same lock, whoever
 * gets the lock is the leader and does the duty, and when its lease ends another one is elected. Thread-safe.
 *
 * <p>The duty runs under the lock, as {@link DistributedLock#run} runs a task. It goes on for as long as this process is to lead, and
 * is interrupted when the lease is lost, when it is {@linkplain Lease#whenRevoked revoked}, or to {@linkplain #stepDown() step down}.
 * What it does after a loss is not protected: give the lease's {@linkplain Lease#fencingToken() token} with each write. When the duty
 * has returned or thrown, this process has given the lock up, and wants it again: after a second, so that another one is elected if
 * there is one. Failures are logged. If one follows the other, the pause grows to ten seconds.
 *
 * <p>Neither a silent store nor a failure ends this, and a lock that is lost is wanted again. Only {@link #close()} does, or the
 * close of the client. One thread, a daemon, waits, leads and waits again.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Leadership.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final DistributedLock lock;
    private final LeaseTask<?> duty;
    private final Thread thread;

    /** While the duty runs. Written under this object's monitor. */
    private volatile @Nullable Lease lease;

    private boolean closed;

    /** Whether the duty has begun in this term. Of the thread alone. */
    private boolean hasLed;

    private Leadership(DistributedLock lock, LeaseTask<?> duty) {
        this.lock = lock;
        this.duty = duty;
        thread = new Thread(this::stand, "mortise-leader");
        thread.setDaemon(true);
    }

    /**
     * Wants to be the leader from now on.
     *
     * @param lock which of the processes that want this lock is the leader; the waiting is not limited by its
     *     {@link LockOptions#maxWait()}, and {@link LockOptions#goOnWithoutAnswer()} elects nobody
     * @param duty what the leader does, on the thread of this object
     * @return this process as a candidate; close it
     */
    public static Leadership start(DistributedLock lock, LeaseTask<?> duty) {
        Leadership started = new Leadership(Objects.requireNonNull(lock, "lock"), Objects.requireNonNull(duty, "duty"));
        started.thread.start();
        return started;
    }

    /** {@return whether this process is the leader for certain at this moment} No I/O. */
    public boolean isLeader() {
        Lease now = lease;
        return now != null && now.isHeld();
    }

    /**
     * Waits until this process is the leader.
     *
     * @param wait at most how long, zero or more
     * @return whether it is
     * @throws InterruptedException if the calling thread is interrupted before or while it waits
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    public synchronized boolean await(Duration wait) throws InterruptedException {
        if (Objects.requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("wait must not be negative: " + wait);
        }
        long start = System.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(wait);
        while (!isLeader() && !closed) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return isLeader();
    }

    /** Ends the duty, if this process is the leader, by interrupting it; it is a candidate again later. Does not wait for the end. */
    public synchronized void stepDown() {
        if (lease != null) {
            thread.interrupt();
        }
    }

    /** A revoked leader still has the lock until its lease ends, and so for its last steps. */
    private synchronized void stepDown(Lease revoked) {
        if (lease == revoked) {
            thread.interrupt();
        }
    }

    /**
     * Wants to be the leader no more. Interrupts the duty if it runs, and waits until it has ended and the lock is released: a duty
     * that ignores interrupts holds this up. Called by the duty itself, it does not wait. Ignores interrupts and keeps the flag.
     * Idempotent.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
            thread.interrupt();
        }
        boolean interrupted = false;
        while (Thread.currentThread() != thread && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException keptForLater) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** How a try to lead has ended. */
    private enum Term {
        ENDED,
        NOT_ELECTED,
        FAILED
    }

    private void stand() {
        Duration afterFailure = PAUSE;
        while (mayStand()) {
            Term term = stoodOnce();
            if (term == Term.FAILED) {
                pause(afterFailure);
                afterFailure = longer(afterFailure);
            } else {
                pause(term == Term.ENDED ? PAUSE : Duration.ZERO);
                afterFailure = PAUSE;
            }
        }
    }

    /** What has interrupted the duty is over with it; an interrupt by a close is not. */
    private synchronized boolean mayStand() {
        boolean unused = !closed && Thread.interrupted();
        return !closed;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    @SuppressWarnings("CatchingUnchecked")
    private Term stoodOnce() {
        hasLed = false;
        try {
            lock.run(this::lead);
            return Term.ENDED;
        } catch (InterruptedException steppedDownOrClosed) {
            return Term.ENDED;
        } catch (Throwable failure) {
            return ended(failure);
        }
    }

    /** The duty may use other locks, whose exceptions say nothing of this one. */
    private Term ended(Throwable failure) {
        if (!hasLed && failure instanceof LockTimeoutException) {
            return Term.NOT_ELECTED;
        } else if (!hasLed && failure instanceof LockClosedException) {
            synchronized (this) {
                closed = true;
                notifyAll();
            }
            return Term.ENDED;
        }
        LOG.log(Level.WARNING, "a candidate or the leader of " + lock + " failed, and goes on", failure);
        return failure instanceof LockLostException ? Term.ENDED : Term.FAILED;
    }

    private void lead(Lease granted) throws Exception {
        if (granted.isWithoutLock()) {
            throw new LockStoreException(lock.name(), "the store did not answer, so that nobody is elected", null);
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            lease = granted;
            notifyAll();
        }
        hasLed = true;
        granted.whenRevoked((sameLease, reason) -> stepDown(granted));
        try {
            duty.run(granted);
        } finally {
            synchronized (this) {
                lease = null;
            }
        }
    }

    private synchronized void pause(Duration length) {
        long start = System.nanoTime();
        for (long left = length.toNanos(); !closed && left > 0; left = length.toNanos() - (System.nanoTime() - start)) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException steppedDownOrClosed) {
                // Whether it is closed is looked at.
            }
        }
    }

    @Override
    public String toString() {
        return "Leadership[" + lock.name() + ", " + (isLeader() ? "leader" : "candidate") + "]";
    }
}
