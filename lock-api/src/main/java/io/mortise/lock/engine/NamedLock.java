// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LeaseCall;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Implements {@link DistributedLock}: a name and options, over the engine of the client. Thread-safe. */
public final class NamedLock implements DistributedLock {
    private final Engine engine;
    private final String name;
    private final LockOptions options;

    /** Throws if the engine is closed or the store cannot honour the lease. No I/O. */
    public NamedLock(Engine engine, String name, LockOptions options) {
        engine.checkUsable(name, options);
        this.engine = engine;
        this.name = Objects.requireNonNull(name, "name");
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        long wait = options.maxWait().map(Nanos::of).orElse(Nanos.FOREVER);
        LeaseHandle lease = engine.acquire(name, options, wait, true);
        if (lease == null) {
            throw new LockTimeoutException(name, options.maxWait().orElseThrow());
        }
        return lease;
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Optional.ofNullable(engine.acquireUninterruptibly(name, options, 0));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return Optional.ofNullable(engine.acquire(name, options, nanos(wait), true));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return async(this::acquire, Lease::release);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        nanos(wait);
        return async(() -> tryAcquire(wait), lease -> lease.ifPresent(Lease::release));
    }

    @Override
    public <T, E extends Exception> T call(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        return new GuardedCall<T, E>((LeaseHandle) acquire()).call(task);
    }

    @Override
    public <T, E extends Exception> Optional<T> tryCall(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        LeaseHandle lease = engine.acquireUninterruptibly(name, options, 0);
        return lease == null ? Optional.empty() : Optional.of(new GuardedCall<T, E>(lease).call(task));
    }

    @Override
    public DistributedReentrantLock asLock() {
        return new ReentrantView(engine, name, options);
    }

    @Override
    public Optional<LockHolder> holder() {
        return engine.admin().holder(name);
    }

    @Override
    public boolean revoke(String reason) {
        Objects.requireNonNull(reason, "reason");
        return engine.admin().revoke(name, reason, false);
    }

    @Override
    public boolean revokeNow(String reason) {
        Objects.requireNonNull(reason, "reason");
        return engine.admin().revoke(name, reason, true);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + "]";
    }

    private <T> CompletableFuture<T> async(Callable<T> call, Consumer<T> undo) {
        return engine.isClosed()
                ? CompletableFuture.failedFuture(new LockClosedException(name))
                : new AsyncCall<>(call, undo).start(engine.waiters());
    }

    private static long nanos(Duration wait) {
        if (Objects.requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("wait must not be negative: " + wait);
        }
        return Nanos.of(wait);
    }
}
