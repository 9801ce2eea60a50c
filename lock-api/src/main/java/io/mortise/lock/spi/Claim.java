// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One attempt to get one lock, with the methods to acquire, renew and release it. Made by {@link LockBackend#claim}.
 *
 * <p>The rules, for every method that talks to the store:
 *
 * <ul>
 *   <li><b>True, false or throw.</b> True and false are known facts. Whatever is not known is thrown, best as a
 *       {@link BackendException}; "no reply" is never false.
 *   <li><b>Bounded.</b> A call returns or throws within {@code atMost}, give or take scheduling. If the driver cannot be
 *       stopped, the call is given up and the exception's {@link BackendException#end()} says when it has ended.
 *   <li><b>Owned.</b> Every write compares the request's {@code owner} inside the store, in the same atomic step; a stale
 *       claim changes nothing of another's.
 *   <li><b>Engine's promise.</b> At most one awaited call at a time for each claim, from any thread; a call that was
 *       given up may still run beside the next. The last call is a {@link #release}, or, where others are to be kept out for a
 *       while, a {@link #renew} to the time that is left. Both may be repeated. Free what belongs to the claim at the grant or with
 *       the backend.
 * </ul>
 *
 * <p>Implementations need not be thread-safe beyond that promise: successive calls happen-before one another.
 */
public interface Claim {
    /**
     * Asks for the lock once, without waiting for it. May be repeated: a claim that holds already answers true with the
     * same token and, in the same atomic step, gets its full lease again, however much of it is left. A claim whose lease has
     * ended asks like any other: if it is granted the lock, that is a new grant, with a greater token.
     *
     * @param atMost how long the call may take, positive
     * @return true if this claim holds the lock for a full lease counted from before this call, less what
     *     {@link #leaseSpent()} tells; false if it certainly does not hold it
     * @throws InterruptedException if the thread was interrupted while the answer was outstanding; the outcome is then
     *     not known. A backend that cannot be interrupted never throws this and leaves the flag as it is
     * @throws BackendException if the outcome is not known, or, with the kind {@link BackendException.Kind#REFUSED}, if the store
     *     will not grant this claim as client and store are set up, such as for want of a permission: the engine then does not ask
     *     again and throws {@link io.mortise.lock.LockConfigurationException}, which a backend may throw itself
     */
    boolean tryAcquire(Duration atMost) throws InterruptedException;

    /**
     * Renews the lease of a lock that this claim holds: from now on it lasts for {@code lease}, be that longer or shorter than
     * what was left. Never acquires the lock: a lease that has ended or was taken over is refused, even if nobody else has the
     * lock. The engine does not interrupt it.
     *
     * @param lease how long the lease is to last; positive, within the backend's {@link LeaseBounds}. Where
     *     {@link LeaseBounds#outlivesHolder()} is false, the store may keep the length with which the claim was granted
     * @param atMost how long the call may take, positive
     * @return true if this claim holds the lock for {@code lease} counted from before this call, less what
     *     {@link #leaseSpent()} tells; false if it certainly does not hold it, or if it was revoked: {@link #loss()} then says
     *     why, and {@link #holdsUntilLeaseEnds()} whether it still holds it
     * @throws BackendException if the outcome is not known
     */
    boolean renew(Duration lease, Duration atMost);

    /**
     * Whether this claim, though its last {@link #renew}, alone or in a batch, answered false, certainly holds the lock until the lease ends that it
     * was granted or renewed with before: so after a {@linkplain LockBackend#revoke revocation} that does not free the lock at
     * once. No I/O; asked right after the answer, by the thread that got it.
     *
     * @return unless overridden, false: the holder then stops at once
     */
    default boolean holdsUntilLeaseEnds() {
        return false;
    }

    /**
     * Releases the lock, leaves any queue and cleans up after unanswered calls: afterwards the store holds nothing for this
     * claim. After an unanswered try it also leaves a short mark of the owner where the store can, so that a try that arrives
     * late is refused. Harmless when repeated. The engine does not interrupt it.
     *
     * @param atMost how long the call may take, positive
     * @return true if this claim held the lock until now; false if it certainly did not: a lease that has ended is not held, even
     *     if nobody else has the lock. A claim that was revoked, but not at once, holds until its lease ends
     * @throws BackendException if the outcome is not known
     */
    boolean release(Duration atMost);

    /**
     * {@return the first fencing token of the last successful try, a positive number of at most 2<sup>53</sup>; 0 if
     * the backend is not {@link Feature#FENCED}} No I/O.
     */
    default long fencingToken() {
        return 0;
    }

    /**
     * How much of the lease was spent already when the last successful {@link #tryAcquire} or {@link #renew}, alone or in
     * a batch, was sent. The holder relies on the lease less this, counted from before that call: a grant with nothing
     * left is none. No I/O; asked after each yes, by the thread that got it. A call that was given up no
     * longer changes it.
     *
     * <p>For stores whose lease began before the call that confirms it, because the store counts from an earlier exchange; and for
     * stores that give less than was asked for, such as a session whose time-out was negotiated anew:
     * "good for {@code d} from this call on" is the lease minus {@code d}. A store that always gives less declares
     * {@link LeaseBounds} instead. Time in which the host was suspended before the call counts as spent.
     *
     * @return zero or more, maybe more than the lease; unless overridden, zero: the lease began with the call
     */
    default Duration leaseSpent() {
        return Duration.ZERO;
    }

    /**
     * For how much longer the holder may rely on what this claim was granted, whatever is left of its lease: for backends that must hear
     * from elsewhere, again and again, that their grants still count. No I/O, quick, never throws; asked from any thread and
     * whenever somebody asks whether the lock is held. It may grow. Once it was zero or less, the lease is lost for good.
     *
     * @return nanoseconds; unless overridden, {@link Long#MAX_VALUE}: the lease alone counts
     */
    default long reliableNanos() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return how much of the holder's lease was left when the last try was refused, if the store told} No I/O. A
     * waiter looks again no later than then.
     */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /**
     * How long a waiter pauses before it asks again, if the store does not nudge it: for stores of which each question costs more than
     * one request. No I/O; asked after each try that was refused.
     *
     * @return positive; unless overridden, empty: the engine chooses, some tens of milliseconds
     */
    default Optional<Duration> pollAfter() {
        return Optional.empty();
    }

    /**
     * Which incarnation of the store's process answered the last {@link #tryAcquire}, yes or no; before the first one, which
     * incarnation answers now. For backends that are made of other backends: a process that was restarted without its data has
     * forgotten what it granted before. May ask the store; only such backends call it.
     *
     * @param atMost how long the call may take, positive
     * @return the incarnation; unless overridden, empty: the store has no one process, or cannot tell
     * @throws BackendException if the store did not answer, or, with the kind {@link BackendException.Kind#REFUSED}, if the process
     *     only repeats what another one says, as a replica does: its yes and its no are then no answers
     */
    default Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
        return Optional.empty();
    }

    /**
     * Makes all later tokens of this lock greater than {@code token}, if this claim holds it: in one atomic step, if the
     * owner matches and the counter is less than or equal to {@code token}, the counter becomes {@code token}.
     *
     * @param token the token to stay above, 0 to {@link ClaimRequest#HIGHEST_RAISED_TOKEN}
     * @param atMost how long the call may take, positive
     * @return true if this claim holds the lock and every later token is greater than {@code token}; false if it
     *     certainly does not hold it, because its lease has ended, or its lock was released or revoked at once
     * @throws BackendException if the outcome is not known
     * @throws UnsupportedOperationException if the backend is not {@link Feature#FENCED}
     */
    default boolean raiseToken(long token, Duration atMost) {
        throw new UnsupportedOperationException("this store has no fencing tokens");
    }

    /**
     * Takes whom to tell if this claim holds its lock and the backend learns by itself, without a call of the claim, that the store
     * has taken it away, such as by the end of a session. The holder is told at once then, and not after its next renewal. Called
     * after each grant, and again for another holder when the lock is handed over inside this client: only the last listener counts.
     * No I/O.
     *
     * @param listener takes the reason: only for what is certain. Quick, never throws; to be called from any thread, while no
     *     lock is held that a method of this claim takes, at once if the lock is lost already, and never for a lock that was released.
     *     Calling it never is harmless: the next renewal tells
     */
    default void whenLost(Consumer<Loss> listener) {}

    /**
     * {@return why the last {@link #renew}, alone or in a batch, or {@link #release} answered false, as far as the store told, or why
     * {@link #reliableNanos()} was used up; unless overridden, that the store does not know this claim any more} No I/O.
     */
    default Loss loss() {
        return new Loss(LossCause.EVICTED_OR_DELETED, "the store does not know this claim any more");
    }
}
