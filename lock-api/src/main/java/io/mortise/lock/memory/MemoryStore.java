// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in the memory of one JVM, for all {@link MemoryBackend}s that are made of it. A test may expire, delete
 * and freeze what it holds. Thread-safe. Remembers nothing about a lock that nobody holds or waits for.
 */
public final class MemoryStore {
    private static final Map<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

    private final Ticker ticker;
    private final long startNanos;
    private final long startMicros;
    private final ReentrantLock monitor = new ReentrantLock();
    private final Condition resumed = monitor.newCondition();
    private final TreeMap<String, MemoryLock> locks = new TreeMap<>();
    private final Map<String, RegisterEntry> register = new HashMap<>();
    private final List<Runnable> nudges = new ArrayList<>(2);
    private int untilSweep = 64;
    private boolean paused;
    private boolean refuses;

    /**
     * An empty store with a clock of its own.
     *
     * @param ticker the store's clock: leases end by it
     */
    public MemoryStore(Ticker ticker) {
        this.ticker = ticker;
        startNanos = ticker.nanos();
        startMicros = TimeUnit.MILLISECONDS.toMicros(ticker.wallMillis());
    }

    /**
     * {@return the store that all {@code memory:NAME} URLs of one name mean in this JVM} It lives as long as the JVM.
     *
     * @param name any string
     */
    public static MemoryStore named(String name) {
        return NAMED.computeIfAbsent(name, unused -> new MemoryStore(Ticker.system()));
    }

    /**
     * Ends the lease of a lock now, as if its time were over.
     *
     * @param lock the name
     */
    public void expire(String lock) {
        locked(() -> {
            MemoryLock existing = locks.get(lock);
            if (existing != null) {
                existing.expire(nanos());
            }
            return true;
        });
    }

    /**
     * Forgets a lock, its queue and its token counter, as a store does that evicts or loses data.
     *
     * @param lock the name
     */
    public void delete(String lock) {
        locked(() -> locks.remove(lock) != null);
    }

    /** Forgets everything, as a store does that is restarted without its data. */
    public void clear() {
        locked(() -> {
            locks.clear();
            register.clear();
            return true;
        });
    }

    /** Freezes the store: calls are not answered until {@link #resume()}, and fail when their time is over. */
    public void pause() {
        locked(() -> paused = true);
    }

    /** Ends a {@link #pause()}. */
    public void resume() {
        locked(() -> {
            paused = false;
            resumed.signalAll();
            return true;
        });
    }

    /**
     * Refuses, from now on, every call of every client for good, and keeps what it has: as a store does whose clients have lost
     * their permission.
     */
    public void withdrawPermission() {
        locked(() -> refuses = true);
    }

    /** Ends a {@link #withdrawPermission()}. */
    public void givePermissionBack() {
        locked(() -> refuses = false);
    }

    /** {@return how many names the store remembers: held, waited for, or not yet forgotten} */
    public int size() {
        return locked(locks::size);
    }

    /** Runs one operation, atomically, unless the store is frozen for longer than it may take. */
    <T> T call(Duration atMost, Supplier<T> operation) {
        return locked(() -> {
            if (paused) {
                CallDeadline.uninterruptibly("the store", atMost, deadline -> deadline.driverWait(this::awaitResumed));
            }
            if (refuses) {
                throw BackendException.refused("this store has no permission for its clients; give it back", null);
            }
            return operation.get();
        });
    }

    private boolean awaitResumed(CallDeadline deadline) throws InterruptedException {
        while (paused) {
            long left = deadline.remainingNanos();
            if (left <= 0) {
                throw deadline.noAnswer(null);
            }
            boolean unused = resumed.await(left, TimeUnit.NANOSECONDS);
        }
        return true;
    }

    long nanos() {
        return ticker.nanos();
    }

    /** The store's clock for tokens: microseconds since the epoch when the store began, and monotonic since. */
    long micros() {
        return startMicros + TimeUnit.NANOSECONDS.toMicros(ticker.nanos() - startNanos);
    }

    MemoryLock lock(String name) {
        if (--untilSweep <= 0) {
            long now = nanos();
            long micros = micros();
            locks.values().removeIf(lock -> lock.isIdle(now, micros));
            untilSweep = Math.max(64, locks.size());
        }
        return locks.computeIfAbsent(name, unused -> new MemoryLock(name, nanos(), nudges));
    }

    @Nullable
    MemoryLock existing(String name) {
        return locks.get(name);
    }

    void discardIfIdle(MemoryLock lock) {
        if (lock.isIdle(nanos(), micros())) {
            locks.remove(lock.name);
        }
    }

    Optional<LockHolder> inspect(String name) {
        MemoryLock lock = locks.get(name);
        return lock == null ? Optional.empty() : lock.inspect(nanos());
    }

    List<LockHolder> list(String prefix, String after, int limit) {
        List<LockHolder> page = new ArrayList<>();
        boolean inclusive = after.isEmpty() || after.compareTo(prefix) < 0;
        for (MemoryLock lock :
                locks.tailMap(inclusive ? prefix : after, inclusive).values()) {
            if (!lock.name.startsWith(prefix) || page.size() == limit) {
                break;
            }
            lock.inspect(nanos()).ifPresent(page::add);
        }
        return page;
    }

    boolean revoke(String name, String reason, boolean now) {
        MemoryLock lock = locks.get(name);
        return lock != null && lock.revoke(reason, now, nanos());
    }

    /** What is forgotten of a lock is not above the clock. */
    long highestToken() {
        return locks.values().stream().mapToLong(MemoryLock::counter).reduce(micros(), Math::max);
    }

    Optional<RegisterEntry> registered(String name) {
        return Optional.ofNullable(register.get(name));
    }

    boolean register(String name, Optional<String> expected, RegisterEntry entry) {
        boolean isExpected = registered(name).map(RegisterEntry::version).equals(expected);
        if (isExpected) {
            register.put(name, entry);
        }
        return isExpected;
    }

    /** Runs an operation under the monitor, and then, without it, the nudges that the operation asked for. */
    private <T> T locked(Supplier<T> operation) {
        List<Runnable> due;
        T result;
        monitor.lock();
        try {
            result = operation.get();
            due = List.copyOf(nudges);
            nudges.clear();
        } finally {
            monitor.unlock();
        }
        due.forEach(Runnable::run);
        return result;
    }
}
