// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LeaseCall;
import io.mortise.lock.LeaseTask;
import io.mortise.lock.LockHolder;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A lock each of whose calls is observed. Thread-safe. */
final class ObservedLock implements DistributedLock {
    private final DistributedLock lock;
    private final ObservationRegistry registry;
    private final String group;

    ObservedLock(DistributedLock lock, ObservationRegistry registry, String group) {
        this.lock = Objects.requireNonNull(lock, "lock");
        this.registry = registry;
        this.group = group;
    }

    private Observation observation(String what) {
        return Observation.createNotStarted("mortise.lock." + what, registry)
                .contextualName(what + " " + group)
                .lowCardinalityKeyValue("lock", group)
                .highCardinalityKeyValue("lock.name", lock.name());
    }

    /** From a call to its end, which is told once. */
    private final class Acquiring {
        private final Observation observation = observation("acquire").start();
        private final AtomicBoolean ended = new AtomicBoolean();

        void granted(Lease lease) {
            end(lease.isWithoutLock() ? "without-lock" : "granted", null);
        }

        void busy() {
            end("busy", null);
        }

        void failed(Throwable failure) {
            end(Outcome.of(failure), failure);
        }

        private void end(String outcome, @Nullable Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                observation.lowCardinalityKeyValue("outcome", outcome);
                if (failure != null) {
                    observation.error(failure);
                }
                observation.stop();
            }
        }
    }

    private <T, E extends Exception> T held(Lease lease, LeaseCall<T, E> task) throws E, InterruptedException {
        Observation observation = observation("hold").start();
        try (Observation.Scope scope = observation.openScope()) {
            return task.call(lease);
        } catch (Throwable failure) {
            observation.error(failure);
            throw failure;
        } finally {
            observation.lowCardinalityKeyValue("end", lease.isHeld() || lease.isWithoutLock() ? "held" : "lost");
            observation.stop();
        }
    }

    @Override
    public String name() {
        return lock.name();
    }

    /** A call, which tells {@code acquiring} how it ends unless it fails. */
    private interface ObservedCall<T, E extends Exception, I extends Exception> {
        T with(Acquiring acquiring) throws E, I;
    }

    private <T, E extends Exception, I extends Exception> T observed(ObservedCall<T, E, I> call) throws E, I {
        Acquiring acquiring = new Acquiring();
        try {
            return call.with(acquiring);
        } catch (Throwable failure) {
            acquiring.failed(failure);
            throw failure;
        }
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return this.<Lease, InterruptedException, InterruptedException>observed(acquiring -> {
            Lease lease = lock.acquire();
            acquiring.granted(lease);
            return lease;
        });
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return this.<Optional<Lease>, RuntimeException, RuntimeException>observed(
                acquiring -> told(acquiring, lock.tryAcquire()));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return this.<Optional<Lease>, InterruptedException, InterruptedException>observed(
                acquiring -> told(acquiring, lock.tryAcquire(wait)));
    }

    private static Optional<Lease> told(Acquiring acquiring, Optional<Lease> lease) {
        lease.ifPresentOrElse(acquiring::granted, acquiring::busy);
        return lease;
    }

    /** The future of the lock itself, which can be cancelled. */
    @Override
    public CompletableFuture<Lease> acquireAsync() {
        Acquiring acquiring = new Acquiring();
        CompletableFuture<Lease> future = lock.acquireAsync();
        CompletableFuture<Lease> unused = future.whenComplete((lease, failure) -> {
            if (lease != null) {
                acquiring.granted(lease);
            } else if (failure != null) {
                acquiring.failed(unwrapped(failure));
            }
        });
        return future;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        Acquiring acquiring = new Acquiring();
        CompletableFuture<Optional<Lease>> future = lock.tryAcquireAsync(wait);
        CompletableFuture<Optional<Lease>> unused = future.whenComplete((lease, failure) -> {
            if (lease != null) {
                Optional<Lease> unusedLease = told(acquiring, lease);
            } else if (failure != null) {
                acquiring.failed(unwrapped(failure));
            }
        });
        return future;
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Override
    public <E extends Exception> void run(LeaseTask<E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        Boolean unused = this.<Boolean, E, InterruptedException>observed(acquiring -> {
            lock.run(lease -> run(acquiring, lease, task));
            return true;
        });
    }

    @Override
    public <E extends Exception> boolean tryRun(LeaseTask<E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        return this.<Boolean, E, InterruptedException>observed(acquiring -> {
            boolean ran = lock.tryRun(lease -> run(acquiring, lease, task));
            acquiring.busy();
            return ran;
        });
    }

    private <E extends Exception> void run(Acquiring acquiring, Lease lease, LeaseTask<E> task)
            throws E, InterruptedException {
        Boolean unused = this.<Boolean, E>called(acquiring, lease, same -> {
            task.run(same);
            return true;
        });
    }

    @Override
    public <T, E extends Exception> T call(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        return this.<T, E, InterruptedException>observed(
                acquiring -> lock.call(lease -> called(acquiring, lease, task)));
    }

    @Override
    public <T, E extends Exception> Optional<T> tryCall(LeaseCall<T, E> task) throws E, InterruptedException {
        Objects.requireNonNull(task, "task");
        return this.<Optional<T>, E, InterruptedException>observed(acquiring -> {
            Optional<T> result = lock.tryCall(lease -> called(acquiring, lease, task));
            acquiring.busy();
            return result;
        });
    }

    private <T, E extends Exception> T called(Acquiring acquiring, Lease lease, LeaseCall<T, E> task)
            throws E, InterruptedException {
        acquiring.granted(lease);
        return held(lease, task);
    }

    @Override
    public DistributedReentrantLock asLock() {
        return lock.asLock();
    }

    @Override
    public Optional<LockHolder> holder() {
        return lock.holder();
    }

    @Override
    public boolean revoke(String reason) {
        return lock.revoke(reason);
    }

    @Override
    public boolean revokeNow(String reason) {
        return lock.revokeNow(reason);
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
