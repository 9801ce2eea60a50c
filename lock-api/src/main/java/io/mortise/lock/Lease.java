// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A granted lock: its holder has the lock exclusively until the holder releases it or the lease expires. The lease belongs to
 * whoever has the object, not to a thread: another thread than the one that acquired it may release it. Thread-safe.
 *
 * <p>Unless renewal is {@linkplain LockOptions#withRenewal(boolean) off}, the lease is renewed in the background until it is
 * released, for as long as this object can be reached; a lease whose object was dropped ends by itself. When its client is closed a
 * lease that was not released is lost, with {@link LossCause#CLIENT_CLOSED}.
 */
public interface Lease extends AutoCloseable {
    /** {@return the name of the lock, as it was asked for} */
    String lockName();

    /**
     * The fencing token of this grant: greater than those of all grants of this name before it. Send it with every write
     * to what the lock protects, and let that side refuse a lower token. Stays the same for the life of the object, after
     * loss too. No I/O.
     *
     * @return a positive number
     * @throws UnsupportedOperationException if the store is not {@link io.mortise.lock.spi.Feature#FENCED}, or if
     *     {@link #isWithoutLock()}
     */
    long fencingToken();

    /** {@return whether the lock is held for certain at this moment} No I/O. Once false, false forever. */
    boolean isHeld();

    /** {@return how long the lease still lasts if no renewal comes through; zero if it is not held} No I/O. */
    Duration remaining();

    /**
     * Checks the lease before a step that needs the lock. No I/O.
     *
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was released, or if {@link #isWithoutLock()}
     */
    void ensureHeld();

    /**
     * Makes sure that this lease ends in the store: when it is released, no other waiter of this client gets the lock before
     * the store grants it. For code that ties a transaction of the store to the lease. Checks the lease as
     * {@link #ensureHeld()} does; cannot be undone. No I/O.
     *
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was released, and so perhaps handed over already, or if {@link #isWithoutLock()}
     */
    void forbidHandOver();

    /**
     * Makes the lease last for at least so long from now on, by renewing it at once. Later renewals keep to that moment. For a
     * step during which renewals may fail to run, such as a suspended host or a long stop of the JVM. Blocks for at most the
     * client's call time-out; an interrupt ends the wait, and the flag is kept.
     *
     * @param length how long the lease is to last, positive; {@link LockOptions#maxHold()} still ends it
     * @return how long the lease lasts now for certain: {@code length}, less what the answer took and an allowance for clock
     *     drift; or less, if the store did not answer in time, the thread was interrupted, or the lock was revoked. Without an
     *     answer the client goes on trying. If the store has not answered a request of this lease before, now or long ago, that may
     *     still reach it and make the lease as short as it was then: nothing longer is certain any more
     * @throws LockLostException if the lease was lost, before the call or during it
     * @throws IllegalStateException if the lease was released, before the call or during it, or if {@link #isWithoutLock()}
     * @throws IllegalArgumentException if {@code length} is not positive, or longer than the store can honour
     */
    Duration extend(Duration length);

    /**
     * {@return whether this stands for going on without the lock, because the store did not answer} Only where
     * {@link LockOptions#goOnWithoutAnswer()} says so: such a lease is never held, has no token, and ends without an error. Its
     * listeners never run.
     */
    boolean isWithoutLock();

    /**
     * Registers what to do when the lease is at risk: a third of it is left and no renewal was confirmed since, or its
     * {@link LockOptions#maxHold()} is nearly over.
     * Runs once each time the lease comes to be at risk, on a thread of the client's; runs at once if the lease is at risk now.
     * Up to eight listeners of a client run at once; the others wait. A listener must not block. Exceptions are logged.
     *
     * <p>A lease is renewed for as long as this object can be reached. A listener that refers to it keeps it reachable, and renewed
     * for ever if nobody releases it: use the lease that the listener is given.
     *
     * @param listener gets the lease and how long it still lasts; one that has waited for others asks {@link #remaining()}
     * @return this
     */
    Lease whenAtRisk(BiConsumer<Lease, Duration> listener);

    /**
     * Registers what to do when the lease is at risk, as {@link #whenAtRisk(BiConsumer)} does, for listeners that do not need
     * the lease.
     *
     * @param listener gets how long the lease still lasts
     * @return this
     */
    default Lease onAtRisk(Consumer<Duration> listener) {
        Objects.requireNonNull(listener, "listener");
        return whenAtRisk((lease, remaining) -> listener.accept(remaining));
    }

    /**
     * Registers what to do when the lease is lost. Runs exactly once, on a thread of the client's that is called no later than the
     * lease ends; runs at once if the lease is lost already; never runs for a lease that was released before. May release the
     * lease. Up to eight listeners of a client run at once; the others wait. A listener must not block. Exceptions are logged.
     *
     * <p>A listener that refers to this object keeps the lease renewed for ever if nobody releases it: use the lease that the
     * listener is given.
     *
     * @param listener gets the lease and the reason
     * @return this
     */
    Lease whenLost(BiConsumer<Lease, Loss> listener);

    /**
     * Registers what to do when the lease is lost, as {@link #whenLost(BiConsumer)} does, for listeners that do not need the lease.
     *
     * @param listener gets the reason
     * @return this
     */
    default Lease onLost(Consumer<Loss> listener) {
        Objects.requireNonNull(listener, "listener");
        return whenLost((lease, loss) -> listener.accept(loss));
    }

    /**
     * Registers what to do when the lock is revoked by {@link DistributedLock#revoke}, so that the holder can end its work by
     * itself. Where the store keeps a revoked lock until its lease ends, a lease with such a listener is not lost at once, but at
     * its end if it was not released by then: {@link #remaining()} tells. Elsewhere, as without a listener, it is lost as soon as
     * the client learns of the revocation. Runs at most once, on a thread of the client's; must not block; exceptions are logged.
     * Without renewal the client learns of it at the end of the lease. {@link DistributedLock#revokeNow} asks nobody, and ends a
     * lease that was asked before at its next renewal.
     *
     * @param listener gets the lease and the reason of the revocation
     * @return this
     */
    Lease whenRevoked(BiConsumer<Lease, String> listener);

    /**
     * Releases the lock and returns whether it was held until then. Blocks for at most the client's call time-out, and 0.1 s more if
     * a renewal is under way. Ignores interrupts and keeps the flag. Idempotent: later calls wait for the end of the first, return
     * or throw the same, and do nothing. A lock with {@link LockOptions#minHold()} is kept in the store for the rest of that time.
     *
     * @return true if the lock was held until now, false if it was lost before or there never was one
     * @throws LockReleaseException if the store did not answer; the release is tried again in the background until the
     *     store has let go of the lock, and the lease counts as released
     */
    boolean release();

    /**
     * Releases the lock, as {@link #release()} does, and throws if it was lost before. Does nothing if the calling thread has
     * released or closed it already, and so knows how that ended.
     *
     * @throws LockLostException if the lease was lost before
     * @throws LockReleaseException if the store did not answer; see {@link #release()}
     */
    @Override
    void close();
}
