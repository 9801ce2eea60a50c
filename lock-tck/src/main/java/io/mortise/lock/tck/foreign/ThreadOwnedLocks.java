// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a library whose locks belong to threads: a factory of {@link java.util.concurrent.locks.Lock}, Spring's
 * {@code LockRegistry}, Redisson's {@code RLock}, Curator's {@code InterProcessMutex}. Each grant has a thread of its own, which asks for the lock and
 * releases it, so that two claims of one client are two holders. Thread-safe.
 *
 * <p>An {@link IllegalMonitorStateException} at a release says that the thread does not hold the lock, as the contract of {@code Lock}
 * allows; whatever else a library says so by, its {@link ThreadOwnedLock} translates.
 */
public final class ThreadOwnedLocks implements ForeignClient {
    /** One lock of a library, as one thread uses it. */
    public interface ThreadOwnedLock {
        /**
         * Asks for it once.
         *
         * @param lease how long it lasts
         * @return whether this thread has it
         * @throws Exception if the library throws
         */
        boolean tryLock(Duration lease) throws Exception;

        /**
         * Releases it.
         *
         * @return false if the library says that this thread does not hold it
         * @throws IllegalMonitorStateException if it says so by that
         * @throws Exception if the library throws for another reason
         */
        boolean unlock() throws Exception;

        /**
         * Renews the lease, from now on. A library that cannot, but can tell whether this thread holds the lock, tells that.
         *
         * @param lease how long it is to last
         * @return false if the library says that this thread does not hold it
         * @throws UnsupportedOperationException if the library can do neither
         * @throws Exception if the library throws for another reason
         */
        default boolean renew(Duration lease) throws Exception {
            throw new UnsupportedOperationException("this library renews no leases");
        }
    }

    private final Function<String, ThreadOwnedLock> locks;
    private final Runnable closing;
    private final Set<Owner> owners = ConcurrentHashMap.newKeySet();

    /**
     * A client.
     *
     * @param locks the lock of a name; called by the thread that uses it
     * @param closing disconnects
     */
    public ThreadOwnedLocks(Function<String, ThreadOwnedLock> locks, Runnable closing) {
        this.locks = locks;
        this.closing = closing;
    }

    /**
     * A client of a library whose locks are {@link java.util.concurrent.locks.Lock}s.
     *
     * @param locks the lock of a name
     * @param closing disconnects
     * @return a new client
     */
    public static ThreadOwnedLocks of(
            Function<String, ? extends java.util.concurrent.locks.Lock> locks, Runnable closing) {
        return new ThreadOwnedLocks(name -> new JdkLock(locks.apply(name)), closing);
    }

    @Override
    public Optional<ForeignGrant> tryAcquire(String lock, Duration lease) throws Exception {
        Owner owner = new Owner();
        owners.add(owner);
        boolean granted = false;
        try {
            granted = owner.tryLock(() -> locks.apply(lock), lease);
        } finally {
            if (!granted) {
                owner.givesBack();
                owners.remove(owner);
            }
        }
        return granted ? Optional.of(owner) : Optional.empty();
    }

    @Override
    public void close() {
        closing.run();
        owners.forEach(Owner::ends);
    }

    /** The thread to which a grant belongs. It ends with the client, so that a second release comes from the same thread. */
    private static final class Owner implements ForeignGrant {
        private static final Runnable END = () -> {};

        private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
        private boolean ended;
        /** Of the owner's thread only. */
        private @Nullable ThreadOwnedLock lock;

        private boolean held;

        Owner() {
            Thread thread = new Thread(this::run, "tck owner of a lock");
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            try {
                for (Runnable step = steps.take(); step != END; step = steps.take()) {
                    step.run();
                }
            } catch (InterruptedException unwanted) {
                Thread.currentThread().interrupt();
            }
        }

        boolean tryLock(Supplier<ThreadOwnedLock> which, Duration lease) throws Exception {
            return does(() -> {
                ThreadOwnedLock wanted = which.get();
                lock = wanted;
                held = wanted.tryLock(lease);
                return held;
            });
        }

        @Override
        public boolean release() throws Exception {
            try {
                return does(() -> Objects.requireNonNull(lock).unlock());
            } catch (IllegalMonitorStateException notHeld) {
                return false;
            }
        }

        @Override
        public boolean renew(Duration lease) throws Exception {
            return does(() -> Objects.requireNonNull(lock).renew(lease));
        }

        /** Nobody waits any more for what it asked for: it may get it all the same. */
        synchronized void givesBack() {
            steps.add(() -> {
                try {
                    if (held) {
                        Objects.requireNonNull(lock).unlock();
                    }
                } catch (Exception unwilling) {
                    // It was not wanted, and ends with its lease or its client.
                }
            });
            ends();
        }

        synchronized void ends() {
            ended = true;
            steps.add(END);
        }

        private boolean does(Callable<Boolean> work) throws Exception {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            synchronized (this) {
                if (ended) {
                    throw new IllegalStateException("this client is closed");
                }
                steps.add(() -> {
                    try {
                        answer.complete(work.call());
                    } catch (Throwable failure) {
                        answer.completeExceptionally(failure);
                    }
                });
            }
            try {
                return answer.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof Exception failure) {
                    throw failure;
                }
                throw failed;
            }
        }
    }

    private record JdkLock(java.util.concurrent.locks.Lock lock) implements ThreadOwnedLock {
        @Override
        public boolean tryLock(Duration lease) {
            return lock.tryLock();
        }

        @Override
        public boolean unlock() {
            lock.unlock();
            return true;
        }
    }
}
