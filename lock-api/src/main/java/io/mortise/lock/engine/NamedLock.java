// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LeaseCall;
import io.mortise.lock.LeaseTask;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.engine.acquisition.AsyncAcquisition;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Implements {@link DistributedLock}: a name and options, over the engine of the client. Thread-safe. */
public final class NamedLock implements DistributedLock {
    private final Engine engine;
    private final String name;
    private final LockOptions options;

    /** Throws if the engine is closed or the store cannot honour the lease. No I/O. */
    public NamedLock(Engine engine, String name, LockOptions options) {
        engine.checkUsable(name, options);
        this.engine = engine;
        this.name = name;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        try {
            return granted(engine.acquire(name, options, maxWait(), true));
        } catch (LockStoreException unanswered) {
            return orWithout(unanswered);
        }
    }

    @Override
    public Optional<Lease> tryAcquire() {
        try {
            return optional(engine.acquireUninterruptibly(name, options, 0));
        } catch (LockStoreException unanswered) {
            return Optional.of(orWithout(unanswered));
        }
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long nanos = nanos(wait);
        try {
            return optional(engine.acquire(name, options, nanos, true));
        } catch (LockStoreException unanswered) {
            return Optional.of(orWithout(unanswered));
        }
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return engine.acquireAsync(name, options, maxWait(), new AsyncAcquisition.Ending<Lease>() {
            @Override
            public Lease of(@Nullable LeaseHandle lease) {
                return granted(lease);
            }

            @Override
            public Lease without(LockStoreException failure) {
                return orWithout(failure);
            }
        });
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return engine.acquireAsync(name, options, nanos(wait), new AsyncAcquisition.Ending<Optional<Lease>>() {
            @Override
            public Optional<Lease> of(@Nullable LeaseHandle lease) {
                return Optional.ofNullable(lease);
            }

            @Override
            public Optional<Lease> without(LockStoreException failure) {
                return Optional.of(orWithout(failure));
            }
        });
    }

    @Override
    public <E extends Exception> void run(LeaseTask<E> task) throws E, InterruptedException {
        boolean unused = call(new WithoutResult<>(Objects.requireNonNull(task, "task")));
    }

    @Override
    public <E extends Exception> boolean tryRun(LeaseTask<E> task) throws E, InterruptedException {
        return tryCall(new WithoutResult<>(Objects.requireNonNull(task, "task")))
                .isPresent();
    }

    @Override
    public <T, E extends Exception> T call(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        GuardedCall<T, E> call = new GuardedCall<>(task, engine.interrupts());
        LeaseHandle lease;
        try {
            lease = granted(engine.acquire(name, options, maxWait(), true));
        } catch (LockStoreException unanswered) {
            return task.call(orWithout(unanswered));
        }
        return call.under(lease);
    }

    @Override
    public <T, E extends Exception> Optional<T> tryCall(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        GuardedCall<T, E> call = new GuardedCall<>(task, engine.interrupts());
        LeaseHandle lease;
        try {
            lease = engine.acquireUninterruptibly(name, options, 0);
        } catch (LockStoreException unanswered) {
            return present(task.call(orWithout(unanswered)));
        }
        return lease == null ? Optional.empty() : present(call.under(lease));
    }

    @Override
    public DistributedReentrantLock asLock() {
        return new ReentrantView(engine, name, options.withGoOnWithoutAnswer(false));
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
        return engine.revokeNow(name, reason);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + "]";
    }

    private long maxWait() {
        return maxWait(options);
    }

    /** How long a call may wait that does not say so itself. */
    static long maxWait(LockOptions options) {
        return options.maxWait().map(Nanos::of).orElse(Nanos.FOREVER);
    }

    private LeaseHandle granted(@Nullable LeaseHandle lease) {
        if (lease == null) {
            throw new LockTimeoutException(name, options.maxWait().orElseThrow());
        }
        return lease;
    }

    /** What stands for the lock where the caller goes on without it. */
    private Lease orWithout(LockStoreException unanswered) {
        if (!options.goOnWithoutAnswer()) {
            throw unanswered;
        }
        return new WithoutLock(name);
    }

    /** If no memory is left for the answer, nobody could release the lease. */
    private static Optional<Lease> optional(@Nullable LeaseHandle lease) {
        boolean made = false;
        try {
            Optional<Lease> answer = Optional.ofNullable(lease);
            made = true;
            return answer;
        } finally {
            if (!made && lease != null) {
                lease.held().giveBack();
            }
        }
    }

    private static <T> Optional<T> present(T result) {
        return Optional.of(Objects.requireNonNull(result, "the task of tryCall returned null; return a value"));
    }

    static long nanos(Duration wait) {
        if (Objects.requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("wait must not be negative: " + wait);
        }
        return Nanos.of(wait);
    }
}
