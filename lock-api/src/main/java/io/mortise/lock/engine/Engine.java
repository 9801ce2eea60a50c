// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Everything that one client has: its backend, settings, threads, queue and leases. Thread-safe. */
public final class Engine {
    private static final Logger LOG = System.getLogger(Engine.class.getName());
    private static final int FAIR_HAND_OVERS = 4;
    private static final int DEFAULT_HAND_OVERS = 16;

    private final LockBackend backend;
    private final Settings settings;
    private final Set<Feature> features;
    private final SecureRandom random = new SecureRandom();
    private final ThreadPoolExecutor workers = Threads.pool("mortise-worker");
    private final Executor waiters;
    private final @Nullable ExecutorService ownWaiters;
    private final LocalQueue queue;
    private final LeaseTimer timer;
    private final Cleanup cleanup;
    private final Events events;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Starts no thread: they come with the work and go without it.
     *
     * @param backend the store; closed with the engine
     * @param settings what the client was built with
     * @throws LockConfigurationException if the store cannot honour the lease of the settings
     */
    public Engine(LockBackend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        this.features = Set.copyOf(backend.features());
        Executor given = settings.executor();
        if (given == null) {
            ownWaiters = Threads.forWaiting();
            waiters = ownWaiters;
        } else {
            ownWaiters = null;
            waiters = given;
        }
        this.queue = new LocalQueue(settings.ticker());
        Renewer renewer = new Renewer(backend, settings.ticker(), workers, settings.callTimeout());
        this.timer = new LeaseTimer(settings.ticker(), renewer::addAll);
        this.cleanup = new Cleanup(settings.ticker(), workers, settings.callTimeout());
        this.events = new Events(settings.listeners(), workers);
        checkLease(settings.options());
    }

    /** The handle of a name. */
    public DistributedLock lock(String name, LockOptions options) {
        ensureOpen(name);
        checkLease(options);
        return new NamedLock(this, name, options);
    }

    /** The options of locks that have none of their own. */
    public LockOptions options() {
        return settings.options();
    }

    /** The store. */
    public LockBackend backend() {
        return backend;
    }

    /** Looking at the store's locks. */
    public Admin admin() {
        return new Admin(backend, settings.callTimeout());
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
        long end = System.nanoTime() + callTimeout().toNanos();
        while ((!acquisitions.isEmpty() || !cleanup.isIdle()) && end - System.nanoTime() > 0) {
            acquisitions.forEach(Acquisition::wake);
            LockSupport.parkNanos(this, 1_000_000);
        }
        timer.close();
        cleanup.close();
        workers.shutdown();
        if (ownWaiters != null) {
            ownWaiters.shutdown();
        }
        backend.close();
    }

    /** Goes on while the store answers; gives up when it has been silent for one call time-out. */
    private void releaseAll() {
        long answeredAt = ticker().nanos();
        for (Hold hold : queue.holds()) {
            if (ticker().nanos() - answeredAt < callTimeout().toNanos() && releaseQuietly(hold)) {
                answeredAt = ticker().nanos();
            }
        }
    }

    void ensureOpen(String name) {
        if (closed) {
            throw new LockClosedException(name);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void begin(Acquisition acquisition) {
        acquisitions.add(acquisition);
    }

    void end(Acquisition acquisition) {
        acquisitions.remove(acquisition);
    }

    /** A claim with an owner of its own; of a {@code FENCED} store it takes a token for each hand-over that may follow. */
    Claim claim(String name, LockOptions options, boolean waits, Runnable nudge) {
        byte[] owner = new byte[16];
        random.nextBytes(owner);
        int tokens = features.contains(Feature.FENCED) ? 1 + handOvers(options) : 1;
        return backend.claim(
                new ClaimRequest(
                        name, HexFormat.of().formatHex(owner), options.label(), options.lease(), waits, 0, tokens),
                nudge);
    }

    /** Turns a grant into a lease that is renewed and ends. */
    Hold hold(Claim claim, Settlement settlement, LocalQueue.Place place, Validity validity) {
        long token = features.contains(Feature.FENCED) ? claim.fencingToken() : 0;
        HandOvers handOvers = new HandOvers(handOvers(place.options()), ticker().nanos());
        return new Hold(this, new Grant(claim, settlement, place, validity, token, handOvers)).start();
    }

    LockStoreException unconfirmedRelease(String name, Duration lease, RuntimeException cause) {
        return new LockStoreException(
                name,
                "the store did not confirm the release of lock '" + name
                        + "': it is tried again in the background, and the lock is free in at most " + lease.toMillis()
                        + " ms",
                cause);
    }

    /** True if the store answered. */
    boolean releaseQuietly(Hold hold) {
        try {
            hold.release();
            return true;
        } catch (RuntimeException unanswered) {
            LOG.log(Level.DEBUG, () -> "lock '" + hold.lockName() + "' is left to its lease", unanswered);
            return false;
        }
    }

    Ticker ticker() {
        return settings.ticker();
    }

    Duration callTimeout() {
        return settings.callTimeout();
    }

    double drift() {
        return settings.clockDrift();
    }

    boolean isPrompt() {
        return features.contains(Feature.PROMPT);
    }

    Executor waiters() {
        return waiters;
    }

    LocalQueue queue() {
        return queue;
    }

    LeaseTimer timer() {
        return timer;
    }

    Cleanup cleanup() {
        return cleanup;
    }

    Events events() {
        return events;
    }

    ThreadHolds threadHolds() {
        return threadHolds;
    }

    private int handOvers(LockOptions options) {
        return options.localHandOvers().orElse(features.contains(Feature.FAIR) ? FAIR_HAND_OVERS : DEFAULT_HAND_OVERS);
    }

    private void checkLease(LockOptions options) {
        Duration lease = options.lease();
        if (!backend.leaseBounds().allow(lease)) {
            throw new LockConfigurationException("a lease of " + lease + " is outside of what the store can honour, "
                    + backend.leaseBounds().shortest() + " to "
                    + backend.leaseBounds().longest());
        }
        if (Validity.usable(lease, settings.clockDrift()) <= 0) {
            throw new LockConfigurationException(
                    "a lease of " + lease + " is used up by the allowance for clock drift; make it longer");
        }
    }
}
