// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.acquisition.Acquisition;
import io.mortise.lock.engine.acquisition.AsyncAcquisition;
import io.mortise.lock.engine.acquisition.BlockingAcquisition;
import io.mortise.lock.engine.acquisition.ClaimFactory;
import io.mortise.lock.engine.acquisition.TimeBudget;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.Validity;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.Nudge;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.engine.local.WorkerStarter;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The core of one client: acquires leases from the client's backend, keeps them, and ends all of them when the client is
 * closed. Thread-safe.
 */
public final class Engine {
    /** How many futures can ask the store at once. */
    private static final int MOST_STEPPING = 8;

    /** How many threads of tasks can be interrupted at once: one that does I/O on a file holds its interrupter up. */
    private static final int MOST_INTERRUPTING = 16;

    private static final Duration LEAST_MAX_HOLD = Duration.ofMillis(1);
    private static final long CLOSING_POLL_NANOS = 1_000_000;

    /** In call time-outs: after that long without any answer a client that is closed leaves its locks to their leases. */
    private static final int MOST_SILENT_CALLS = 5;

    private final LockBackend backend;
    private final Settings settings;
    private final Environment environment;
    private final Environment.Pool workers;

    /** Of its own, and idle for longer than between renewals: slow listeners must not get the last thread of the system. */
    private final Environment.Pool renewals;

    private final WorkQueue steps;
    private final WorkQueue interrupts;
    private final WorkerStarter completions;
    private final WorkerStarter ownCompletions;
    private final LocalQueue<HeldLease> queue = new LocalQueue<>(lease -> !lease.isLost());
    private final LeaseServices services;
    private final ClaimFactory claims;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private final Set<AsyncAcquisition<?>> futures = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean stopped;

    /**
     * Starts no thread: they come with the work and go without it. Closes the backend with itself.
     *
     * @throws LockConfigurationException if the store cannot honour the lease of the settings
     */
    public Engine(LockBackend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        this.environment = settings.environment();
        this.workers = environment.pool("mortise-worker", 5);
        this.renewals = environment.pool("mortise-renewal", 60);
        this.steps = new WorkQueue(workers, MOST_STEPPING, "a step for a future");
        this.interrupts = new WorkQueue(workers, MOST_INTERRUPTING, "an interrupt");
        this.ownCompletions = new WorkerStarter(workers, "complete a future");
        Executor given = settings.executor();
        this.completions = given == null ? ownCompletions : new WorkerStarter(given, "complete a future");
        this.services = LeaseServices.of(
                backend,
                environment,
                settings.ticker(),
                settings.store(),
                settings.callTimeout(),
                settings.clockDrift(),
                new EventDispatcher(settings.listeners(), workers),
                renewals,
                workers,
                interrupts,
                steps);
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
        return new Admin(backend, settings, queue::isClosed);
    }

    /** Ends all calls and leases, releases everything, stops all threads, closes the backend. Idempotent. */
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * As {@link #close()}, but ends the calls that wait first, and the leases only after {@code grace} if they are not released
     * by then. A second close waits for the end of the first.
     */
    public void close(Duration grace) {
        boolean isFirst;
        synchronized (this) {
            isFirst = !queue.isClosed();
            queue.close();
        }
        if (!isFirst) {
            awaitClosed();
            return;
        }
        try {
            acquisitions.forEach(Acquisition::wake);
            awaitHolders(environment.realNanos() + Nanos.of(grace));
            repeatedly(() -> queue.leases().forEach(HeldLease::clientClosed));
            awaitReleases();
        } finally {
            stop();
        }
    }

    /** In real time, also where a test drives time by hand: whoever closes does not drive it meanwhile. */
    private void awaitHolders(long end) {
        while (!queue.isEmpty()
                && end - environment.realNanos() > 0
                && !Thread.currentThread().isInterrupted()) {
            environment.pause(this, CLOSING_POLL_NANOS);
        }
    }

    /** Tells all of somebody: without memory again from the first, for one call time-out. */
    @SuppressWarnings("CatchingUnchecked")
    private void repeatedly(Runnable telling) {
        long end = environment.realNanos() + Nanos.of(settings.callTimeout());
        boolean told = false;
        do {
            try {
                telling.run();
                told = true;
            } catch (Throwable noMemory) {
                environment.pause(this, CLOSING_POLL_NANOS);
            }
        } while (!told && end - environment.realNanos() > 0);
    }

    /**
     * Goes on while the store answers. After one call time-out without an answer it gives up if each claim was tried once, and after
     * a few in any case: parts of a store may answer where others do not.
     */
    private void awaitReleases() {
        boolean interrupted = Thread.interrupted();
        long answers = services.cleanup().answers();
        long callTimeout = Nanos.of(settings.callTimeout());
        long patience = Math.min(Nanos.FOREVER / MOST_SILENT_CALLS, callTimeout) * MOST_SILENT_CALLS;
        long since = environment.realNanos();
        long silent = 0;
        while (!isReleased() && silent < (services.cleanup().hasTriedAll() ? callTimeout : patience)) {
            acquisitions.forEach(Acquisition::wake);
            environment.pause(this, CLOSING_POLL_NANOS);
            long now = services.cleanup().answers();
            if (now != answers) {
                answers = now;
                since = environment.realNanos();
            }
            silent = environment.realNanos() - since;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** In this order: a lease leaves the line first, then its release is queued, and then it needs the timer no more. */
    private boolean isReleased() {
        return acquisitions.isEmpty()
                && queue.isEmpty()
                && services.timer().isIdle()
                && services.cleanup().isIdle();
    }

    private void stop() {
        try {
            services.timer().close();
            services.renewer().close();
            services.cleanup().close();
            // Not a shutdown: a listener that is registered for a lost lease now is still told of it.
            workers.keepNoIdleThreads();
            renewals.shutdown();
        } finally {
            try {
                backend.close();
            } finally {
                closed.countDown();
                // Those whose steps or outcomes found no thread. What depends on them may close the client, too.
                stopped = true;
                repeatedly(() -> futures.forEach(AsyncAcquisition::clientClosed));
            }
        }
    }

    private void awaitClosed() {
        boolean interrupted = false;
        while (closed.getCount() > 0) {
            try {
                closed.await();
            } catch (InterruptedException keptForLater) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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
        Nudge nudge = new Nudge(environment);
        Acquisition acquisition =
                acquisition(name, options, waitNanos, Thread.currentThread().getId(), nudge);
        acquisitions.add(acquisition);
        try {
            return new BlockingAcquisition(acquisition, nudge, settings.ticker(), interruptible).run();
        } finally {
            acquisitions.remove(acquisition);
        }
    }

    /** The time by which calls wait. */
    long nanos() {
        return settings.ticker().nanos();
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

    /** As {@link #acquire}, without a thread that waits. Never throws: whatever goes wrong, the future completes with it. */
    @SuppressWarnings("CatchingUnchecked")
    <T> AsyncAcquisition<T> acquireAsync(
            String name, LockOptions options, long waitNanos, AsyncAcquisition.Ending<T> ending) {
        AsyncAcquisition<T> future =
                new AsyncAcquisition<>(environment, services.timer(), steps, completions, ownCompletions, ending);
        Acquisition acquisition = acquisition(name, options, waitNanos, 0, future.nudge());
        try {
            acquisitions.add(acquisition);
            futures.add(future);
            future.start(acquisition, () -> acquisitions.remove(acquisition), () -> futures.remove(future));
        } catch (Throwable failure) {
            acquisitions.remove(acquisition);
            futures.remove(future);
            future.completeExceptionally(failure);
        }
        if (stopped) {
            future.clientClosed();
        }
        return future;
    }

    private Acquisition acquisition(String name, LockOptions options, long waitNanos, long caller, Runnable nudge) {
        long noAnswerLimit = Nanos.of(waitNanos == Nanos.FOREVER ? options.lease() : settings.callTimeout());
        TimeBudget budget =
                new TimeBudget(waitNanos, noAnswerLimit, settings.ticker().nanos());
        return new Acquisition(queue, claims, services, name, options, budget, caller, nudge);
    }

    /** Whether this client holds the lock, whoever of its callers does. No I/O. */
    boolean isHeldHere(String name) {
        HeldLease lease = queue.lease(name);
        return lease != null && lease.isHeld();
    }

    ThreadHolds threadHolds() {
        return threadHolds;
    }

    /** Frees a lock in the store at once; a lease of this client is lost with it. */
    boolean revokeNow(String name, String reason) {
        HeldLease own = queue.lease(name);
        while (own != null && own.keepFromHandOver()) {
            HeldLease now = queue.lease(name);
            if (now == own) {
                boolean revoked = admin().revoke(name, reason, true);
                if (revoked) {
                    own.revokedNow(reason);
                }
                return revoked;
            }
            own = now;
        }
        return admin().revokeNow(name, reason);
    }

    /** Where threads are interrupted: an interrupt can block, and must not hold up the timer. */
    WorkQueue interrupts() {
        return interrupts;
    }

    /** Refuses a lock of a closed client, and options that the store cannot honour. */
    void checkUsable(String name, LockOptions options) {
        if (queue.isClosed()) {
            throw new LockClosedException(name);
        }
        checkLease(options);
    }

    private void checkLease(LockOptions options) {
        Duration lease = options.lease();
        LeaseBounds bounds = backend.leaseBounds();
        if (options.maxHold().isPresent() && options.maxHold().get().compareTo(LEAST_MAX_HOLD) < 0) {
            throw new LockConfigurationException("a maxHold of "
                    + options.maxHold().get() + " is over before a caller has the lock; make it at least "
                    + LEAST_MAX_HOLD);
        }
        if (options.lockDelay().compareTo(bounds.longest()) > 0) {
            throw new LockConfigurationException("a lockDelay of " + options.lockDelay()
                    + " is longer than the store can keep a lock, " + bounds.longest());
        }
        if (!bounds.allow(lease)) {
            throw new LockConfigurationException("a lease of " + lease + " is outside of what the store can honour, "
                    + bounds.shortest() + " to " + bounds.longest());
        }
        if (Validity.usable(lease, settings.clockDrift()) <= 0) {
            throw new LockConfigurationException(
                    "a lease of " + lease + " is used up by the allowance for clock drift; make it longer than "
                            + Validity.floor(settings.clockDrift()));
        }
        boolean keepsOthersOut =
                options.minHold().isPresent() || !options.lockDelay().isZero();
        if (keepsOthersOut && !bounds.outlivesHolder()) {
            throw new LockConfigurationException(
                    "minHold and lockDelay need a store that keeps a lock when its holder has gone, and this one does not");
        }
        Duration stored = ClaimFactory.stored(options);
        if (!bounds.allow(stored)) {
            throw new LockConfigurationException("with its lockDelay or minHold the lock would be kept for " + stored
                    + ", which is longer than the store can honour, " + bounds.longest());
        }
    }
}
