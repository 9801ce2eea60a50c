// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A named lock that clients in any number of JVMs share through a store, such as Redis or a database.
 * {@link LockClient#lock(String)} makes it; it costs nothing until it is used and needs no closing. Thread-safe. Not
 * re-entrant: a thread that holds a lease and acquires again waits for itself; {@link #asLock()} is the re-entrant
 * view.
 *
 * <p>{@code acquire} waits or throws, {@code tryAcquire} answers. Callers of one client are served in the order in which
 * they came. Waiting, retries and the time without an answer from the store share one time budget per call.
 */
public interface DistributedLock {
    /** {@return the name of this lock, any string} */
    String name();

    /**
     * Waits for the lock, for as long as {@link LockOptions#maxWait()} allows, by default without limit.
     *
     * @return the lease; close it
     * @throws InterruptedException if the calling thread is interrupted before or while it waits; it does not hold the
     *     lock then
     * @throws LockTimeoutException if the options limit the wait and others still held the lock at the end
     * @throws LockStoreException if the store did not answer the last try of a limited wait, or gave no answer at all
     *     for one lease
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     */
    Lease acquire() throws InterruptedException;

    /**
     * Takes the lock if it is free now, without waiting for others. Ignores interrupts; the flag is kept. A store that answers is
     * asked once. Without an answer it is asked again for one call time-out: up to ten times. Blocks for at most 0.4 s more than
     * that. Where another caller of the same client is asking, this one ends with the answer that the other gets.
     *
     * @return the lease, or empty if others hold the lock: as the store says, or another caller of this client
     * @throws LockStoreException if the store did not answer within one call time-out
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     */
    Optional<Lease> tryAcquire();

    /**
     * Waits for the lock for a limited time. The last try is made when the time is over. May return up to 0.4 s after {@code wait};
     * behind another caller of this client that gets no answer, up to one call time-out after it.
     *
     * @param wait at most how long to wait for others; zero as {@link #tryAcquire()}, but interruptible
     * @return the lease, or empty if others still held the lock at the end
     * @throws InterruptedException if the calling thread is interrupted before or while it waits; it does not hold the
     *     lock then
     * @throws LockStoreException if the store did not answer the last try
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * {@link #acquire()} without a thread that waits. Whatever completes the future from outside, such as
     * {@link CompletableFuture#cancel} or {@link CompletableFuture#orTimeout}, ends the wait, and a lease that comes too late is given
     * back. What depends on the future runs on the executor of {@link LockClientBuilder#executor}.
     *
     * <p>The steps of all futures of a client take turns on at most eight threads. Beside many futures whose store does not answer
     * this one may complete late, by one call time-out for each eight of them.
     *
     * @return completes with the lease, or with what {@code acquire} throws
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * {@link #tryAcquire(Duration)} without a thread that waits; as {@link #acquireAsync()}.
     *
     * @param wait at most how long to wait for others; zero as {@link #tryAcquire()}
     * @return completes with the lease, with empty, or with what {@code tryAcquire} throws
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /**
     * Runs a task under the lock: {@link #acquire()}, the task, release. If the lease is lost meanwhile, the calling
     * thread is interrupted, and after the task {@link LockLostException} is thrown; an exception of the task's own is
     * then among its suppressed exceptions.
     *
     * <p>The type of an exception of this lock tells whether the task has run: it has if it is a {@link LockLostException} or a
     * {@link LockReleaseException}, and has not if it is any other {@link LockException}. What the task throws itself is passed on:
     * a task that uses other locks, {@link #holder} or {@link LockClient#ping} must catch their exceptions, or they look as if the
     * task had not run. An {@link InterruptedException} does not tell either: the task has not run if the thread was interrupted while
     * it waited, and has run if it threw the exception itself. A task whose caller must know which sets a flag, or wraps its own in
     * another exception.
     *
     * <p>The interrupt for a loss does not outlive the task. An interrupt by somebody else is kept if it came before that one. If it
     * came after, it cannot be told from a task that catches the first one and sets the flag again: it is cleared too, unless the
     * task throws {@link InterruptedException}.
     *
     * @param task the task
     * @param <E> what the task may throw
     * @throws E if the task throws it
     * @throws InterruptedException if the calling thread is interrupted before or while it waits: the task has not run; or if
     *     the task throws it: the task has run
     * @throws LockLostException if the lease was lost before the task ended: the task has run, maybe without the lock
     * @throws LockReleaseException if the task has run under the lock and the store did not answer the release
     * @throws LockException as {@link #acquire()} does: the task has not run; or if the task throws it
     */
    <E extends Exception> void run(LeaseTask<E> task) throws E, InterruptedException;

    /**
     * Runs a task under the lock, as {@link #run} does, and returns its result.
     *
     * @param task the task
     * @param <T> the result
     * @param <E> what the task may throw
     * @return what the task returned
     * @throws E if the task throws it
     * @throws InterruptedException if the calling thread is interrupted before or while it waits: the task has not run; or if
     *     the task throws it: the task has run. {@link #run} says how to tell
     * @throws LockLostException if the lease was lost before the task ended; it has what the task returned
     * @throws LockReleaseException if the store did not answer the release; it has what the task returned
     * @throws LockException as {@link #acquire()} does: the task has not run; or if the task throws it
     */
    <T, E extends Exception> T call(LeaseCall<T, E> task) throws E, InterruptedException;

    /**
     * Runs a task under the lock if the lock is free now: {@link #tryAcquire()}, the task, release. For work that need not
     * be done if somebody else does it. Ends as {@link #run} does otherwise.
     *
     * @param task the task
     * @param <E> what the task may throw
     * @return true if the task has run, false if others hold the lock
     * @throws E if the task throws it
     * @throws InterruptedException if the task throws it
     * @throws LockLostException if the lease was lost before the task ended: the task has run, maybe without the lock
     * @throws LockReleaseException if the task has run under the lock and the store did not answer the release
     * @throws LockException as {@link #tryAcquire()} does: the task has not run; or if the task throws it
     */
    <E extends Exception> boolean tryRun(LeaseTask<E> task) throws E, InterruptedException;

    /**
     * Runs a task under the lock if the lock is free now, as {@link #tryRun} does, and returns its result.
     *
     * @param task the task; it must not return null
     * @param <T> the result
     * @param <E> what the task may throw
     * @return what the task returned, or empty if others hold the lock
     * @throws E if the task throws it
     * @throws InterruptedException if the task throws it
     * @throws NullPointerException if the task returned null: the task has run
     * @throws LockLostException if the lease was lost before the task ended; it has what the task returned
     * @throws LockReleaseException if the store did not answer the release; it has what the task returned
     * @throws LockException as {@link #tryAcquire()} does: the task has not run; or if the task throws it
     */
    <T, E extends Exception> Optional<T> tryCall(LeaseCall<T, E> task) throws E, InterruptedException;

    /**
     * {@return this lock as a {@link java.util.concurrent.locks.Lock}, thread-owned and re-entrant} All views of one
     * name and client are the same lock.
     */
    DistributedReentrantLock asLock();

    /**
     * {@return who holds this lock now, or empty if nobody does} Asks the store once. Blocks for at most the client's call time-out.
     * Ignores interrupts and keeps the flag.
     *
     * @throws LockStoreException if the store did not answer
     * @throws LockConfigurationException if the store refused the question for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     * @throws UnsupportedOperationException if the store cannot tell; a
     *     {@link io.mortise.lock.spi.Feature#LISTABLE} one always can
     */
    Optional<LockHolder> holder();

    /**
     * Takes the lock from its holder, safely: its renewals are refused, and the lock is free when its current lease
     * ends, or when the holder releases it. A holder with a listener of {@link Lease#whenRevoked} is asked to end its work; others
     * lose the lease as soon as they learn of it, at their next renewal. A holder that does not renew learns of it at the end.
     * Blocks for at most the client's call time-out. Ignores interrupts and keeps the flag.
     *
     * @param reason why; kept beside the lock and told to the holder
     * @return true if somebody held it; false if nobody did and nothing was changed
     * @throws LockStoreException if the store did not answer: whether the lock was revoked is not known
     * @throws LockConfigurationException if the store refused for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     * @throws UnsupportedOperationException if the store is not {@link io.mortise.lock.spi.Feature#REVOCABLE}
     */
    boolean revoke(String reason);

    /**
     * Takes the lock from its holder at once. Until the holder's next renewal two clients may both believe that they hold
     * it, and only the fencing token tells them apart: use this when the holder is known to be dead, or when everything
     * that the lock protects checks tokens. It first refuses renewals as {@link #revoke} does, and frees the lock a quarter of a
     * second later, when the holder's client does not hand it over any more; a client that gets the lock meanwhile keeps it. The
     * lock is free whatever its {@link LockOptions#lockDelay()} or {@link LockOptions#minHold()}: who revokes it says that nothing
     * of the holder is waited for. Asks the store up to four times, each time for at most the client's call time-out. Ignores
     * interrupts and keeps the flag.
     *
     * @param reason why; told to the holder
     * @return true if somebody held it; false if nobody did and nothing was changed
     * @throws LockStoreException if the store did not answer: whether the lock was revoked is not known
     * @throws LockConfigurationException if the store refused for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     * @throws UnsupportedOperationException if the store is not {@link io.mortise.lock.spi.Feature#REVOCABLE}
     */
    boolean revokeNow(String reason);
}
