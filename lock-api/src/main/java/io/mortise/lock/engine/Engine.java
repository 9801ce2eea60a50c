// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.acquisition.Acquisition;
import io.mortise.lock.engine.acquisition.ClaimFactory;
import io.mortise.lock.engine.acquisition.TimeBudget;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.Validity;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.Threads;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The core of one client: acquires leases from the client's backend, keeps them, and releases all of them when the
 * client is closed. Thread-safe.
 */
public final class Engine {
    private final LockBackend backend;
    private final Settings settings;
    private final ThreadPoolExecutor workers = Threads.pool("mortise-worker");
    private final Executor waiters;
    private final ExecutorService ownWaiters = Threads.forWaiting();
    private final LocalQueue<HeldLease> queue;
    private final LeaseServices services;
    private final ClaimFactory claims;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Starts no thread: they come with the work and go without it. Closes the backend with itself.
     *
     * @throws LockConfigurationException if the store cannot honour the lease of the settings
     */
    public Engine(LockBackend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        Executor given = settings.executor();
        waiters = given == null ? ownWaiters : given;
        this.queue = new LocalQueue<>(settings.ticker());
        this.services = LeaseServices.of(
                backend,
                settings.ticker(),
                settings.callTimeout(),
                settings.clockDrift(),
                new EventDispatcher(settings.listeners(), workers),
                workers);
        this.claims = new ClaimFactory(backend, services);
        checkLease(settings.options());
    }

    public LockOptions options() {
        return settings.options();
    }

    public String store() {
        return settings.store();
    }

    public LockBackend backend() {
        return backend;
    }

    public Admin admin() {
        return new Admin(backend, settings, this::isClosed);
    }

    public void close(Duration grace) {
        throw new UnsupportedOperationException("not built yet");
    }

    /** Releases everything, ends all calls, stops all threads, closes the backend. Idempotent. */
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        queue.close();
        releaseAll();
        // In real time, also where a test drives time by hand: whoever closes does not drive it meanwhile.
        long end = System.nanoTime() + settings.callTimeout().toNanos();
        while ((!acquisitions.isEmpty() || !services.cleanup().isIdle()) && end - System.nanoTime() > 0) {
            acquisitions.forEach(Acquisition::wake);
            LockSupport.parkNanos(this, 1_000_000);
        }
        services.timer().close();
        services.cleanup().close();
        workers.shutdown();
        ownWaiters.shutdown();
        backend.close();
    }

    /** Goes on while the store answers; gives up when it has not answered for one call time-out. */
    private void releaseAll() {
        long callTimeout = settings.callTimeout().toNanos();
        long answeredAt = settings.ticker().nanos();
        for (HeldLease lease : queue.leases()) {
            if (settings.ticker().nanos() - answeredAt < callTimeout && lease.releaseQuietly()) {
                answeredAt = settings.ticker().nanos();
            }
        }
    }

    /**
     * Waits for a lock; the lease, or null if others held the lock all the time.
     *
     * @param waitNanos how long to wait; 0 for a single try
     * @param interruptible whether an interrupt ends the call; else the flag is kept
     */
    @Nullable
    LeaseHandle acquire(String name, LockOptions options, long waitNanos, boolean interruptible)
            throws InterruptedException {
        long noAnswerLimit = waitNanos == 0 ? settings.callTimeout().toNanos() : Nanos.of(options.lease());
        TimeBudget budget =
                new TimeBudget(waitNanos, noAnswerLimit, settings.ticker().nanos());
        Acquisition acquisition = new Acquisition(queue, claims, services, name, options, budget, interruptible);
        acquisitions.add(acquisition);
        try {
            return acquisition.run();
        } finally {
            acquisitions.remove(acquisition);
        }
    }

    /** As {@link #acquire}, but ignores interrupts; the flag is kept. */
    @Nullable
    LeaseHandle acquireUninterruptibly(String name, LockOptions options, long waitNanos) {
        try {
            return acquire(name, options, waitNanos, false);
        } catch (InterruptedException neverThrown) {
            throw new AssertionError(neverThrown);
        }
    }

    boolean isClosed() {
        return closed;
    }

    Executor waiters() {
        return waiters;
    }

    ThreadHolds threadHolds() {
        return threadHolds;
    }

    /** Refuses a lock of a closed client, and a lease that the store cannot honour. */
    void checkUsable(String name, LockOptions options) {
        if (closed) {
            throw new LockClosedException(name);
        }
        checkLease(options);
    }

    private void checkLease(LockOptions options) {
        Duration lease = options.lease();
        LeaseBounds bounds = backend.leaseBounds();
        if (!bounds.allow(lease)) {
            throw new LockConfigurationException("a lease of " + lease + " is outside of what the store can honour, "
                    + bounds.shortest() + " to " + bounds.longest());
        }
        if (Validity.usable(lease, settings.clockDrift()) <= 0) {
            throw new LockConfigurationException(
                    "a lease of " + lease + " is used up by the allowance for clock drift; make it longer");
        }
    }
}
